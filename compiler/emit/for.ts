import type { For, Node } from '../../grammar/ast.ts';
import { assignedNames } from '../scope.ts';
import { type EmitContext, freshName, type LoopBinding, Scope } from './context.ts';
import { emitOperand, loopObject } from './expression.ts';
import { declareAssigned } from './scopes.ts';
import { mark } from './writer.ts';

/**
 * `{% for a, b in list reversed %}`: an index loop over an array. The scope lasts for the whole loop, so what is
 * set in one round is there in the next, as in Django. Each round counts against the budget of the render.
 *
 *     for (let i = 0; i < n; i++) { if (--r.rounds < 0) r.spend(o.length); const item = list[i]; ... }
 */
export function emitFor(ctx: EmitContext, node: For): void {
  const { writer } = ctx;
  writer.block(
    '{',
    () => {
      const list = freshName(ctx, 'list');
      const length = freshName(ctx, 'length');
      const index = freshName(ctx, 'index');
      writer.line(
        `const ${list} = ${mark(node.iterable.start)}listOf(r.charge(${emitOperand(ctx, node.iterable)})), ${length} = ${list}.length;`,
        node.start,
      );
      const memory = freshName(ctx, 'memory');
      writer.line(`let ${memory};`);
      const inner = loopContext(ctx, node, { index, length, memory });
      const head = `for (let ${index} = 0; ${index} < ${length}; ${index}++) {`;
      writer.block(
        head,
        () => {
          writer.line(
            `if (--r.rounds < 0 || o.length > ${ctx.options.maxOutputLength}) r.spend(o.length);`,
            node.start,
          );
          bindTargets(inner, node, node.reversed ? `${list}[${length} - 1 - ${index}]` : `${list}[${index}]`);
          ctx.emitBody(inner, node.body);
        },
        '}',
        node.start,
      );
      const { empty } = node;
      if (empty !== undefined) writer.block(`if (${length} === 0) {`, () => emitEmpty(ctx, empty));
    },
    '}',
    node.start,
  );
}

/** A scope of its own, like the rounds that did not happen. */
function emitEmpty(ctx: EmitContext, nodes: readonly Node[]): void {
  const inner = { ...ctx, scope: new Scope(ctx.scope) };
  declareAssigned(inner, nodes, ctx);
  ctx.emitBody(inner, nodes);
}

function loopContext(ctx: EmitContext, node: For, names: LoopNames): EmitContext {
  const scope = new Scope(ctx.scope);
  const inner = { ...ctx, scope };
  declareAssigned(inner, node.body, ctx);
  scope.bind('forloop', loopBinding(ctx, names));
  const assigned = new Set(assignedNames(node.body));
  for (const target of node.targets) {
    if (!assigned.has(target)) scope.bind(target, { kind: 'local', js: freshName(ctx, target) });
  }
  return inner;
}

type LoopNames = Pick<LoopBinding, 'index' | 'length' | 'memory'>;

function loopBinding(ctx: EmitContext, names: LoopNames): LoopBinding {
  const outer = ctx.scope.find('forloop');
  const parent = outer === undefined ? 'undefined' : outer.kind === 'loop' ? loopObject(outer) : outer.js;
  return { kind: 'loop', ...names, parent, parentLoop: outer?.kind === 'loop' ? outer : undefined };
}

function bindTargets(ctx: EmitContext, node: For, item: string): void {
  const names = node.targets.map((target) => {
    const binding = ctx.scope.find(target);
    return binding?.kind === 'local' ? binding.js : freshName(ctx, target);
  });
  const assigned = new Set(assignedNames(node.body));
  const [first = ''] = names;
  if (names.length === 1) {
    ctx.writer.line(`${declares(node.targets[0], assigned)}${first} = ${item};`, node.start);
    return;
  }
  const parts = freshName(ctx, 'parts');
  ctx.writer.line(`const ${parts} = ${mark(node.start)}unpack(${item}, ${names.length});`, node.start);
  names.forEach((name, position) => {
    // Of a name given twice the last counts, as in Django.
    if (names.lastIndexOf(name) !== position) return;
    ctx.writer.line(
      `${declares(node.targets[position], assigned)}${name} = ${parts}[${position}];`,
      node.start,
    );
  });
}

function declares(target: string | undefined, assigned: ReadonlySet<string>): string {
  return target !== undefined && assigned.has(target) ? '' : 'const ';
}
