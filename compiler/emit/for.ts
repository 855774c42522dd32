import type { For, Node, Text } from '../../grammar/ast.ts';
import { assignedNames } from '../scope.ts';
import { lastValuesIn } from './changed.ts';
import { callHelper, type EmitContext, freshName, type LoopBinding, Scope } from './context.ts';
import { emitOrMissing } from './expression.ts';
import { hoistCalls } from './hoist-calls.ts';
import { emitPassed, loopObject } from './names.ts';
import { declareAssigned } from './scopes.ts';
import { literal, mark } from './writer.ts';

/**
 * `{% for a, b in list reversed %}`: an index loop over an array. The scope lasts for the whole loop, so a
 * variable set in one round keeps its value in the next, as in Django; but with several loop variables every
 * round has a scope of its own, as in Django. Each round counts against the budget of the render.
 *
 *     for (let i = 0; i < n; i++) { if (--r.rounds < 0) r.spend(o.length); const item = list[i]; ... }
 *
 * The text at the end of a round and the text at the beginning of the next round are appended together. A row
 * of a table then costs one string less, which is a tenth of its time.
 *
 *     for (...) { ... o += (i === 0 ? "<li>" : "</li><li>") + escape(item); } if (n > 0) o += "</li>";
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
        `const ${list} = ${mark(node.iterable.start)}${callHelper(ctx, 'listOf', emitOrMissing(ctx, node.iterable), 'r')}, ${length} = ${list}.length;`,
        node.start,
      );
      const memory = freshName(ctx, 'memory');
      const seen = seenIn(ctx, node);
      writer.line(`let ${[memory, ...seen.values()].join(', ')};`);
      const endKept = hoistCalls(ctx, node);
      const inner = { ...ctx, scope: new Scope(ctx.scope) };
      inner.scope.bind('forloop', loopBinding(ctx, { index, length, memory, seen }));
      const assigned = ctx.unit.assigns ? new Set(assignedNames(node.body)) : noNames;
      if (node.targets.length === 1) declareInLoop(inner, node, ctx, assigned);
      const { first, body, last } = roundOf(node.body);
      writer.block(
        `for (let ${index} = 0; ${index} < ${length}; ${index}++) {`,
        () => {
          writer.line(
            `if (--r.rounds < 0 || o.length > ${ctx.options.maxOutputLength}) r.spend(o.length);`,
            node.start,
          );
          if (node.targets.length > 1) declareInLoop(inner, node, ctx, assigned);
          const item = node.reversed ? `${list}[${length} - 1 - ${index}]` : `${list}[${index}]`;
          bindTargets(inner, node, item, assigned);
          if (first !== undefined) {
            writer.choice([`${index} === 0`], [first.value, last.value + first.value], first.start);
          }
          ctx.emitBody(inner, body);
        },
        '}',
        node.start,
      );
      endKept();
      const { empty } = node;
      if (last !== undefined) writer.line(`if (${length} > 0) o += ${literal(last.value)};`, last.start);
      const otherwise = last === undefined ? `if (${length} === 0) {` : 'else {';
      if (empty !== undefined) writer.block(otherwise, () => emitEmpty(ctx, empty));
    },
    '}',
    node.start,
  );
}

const noNames: ReadonlySet<string> = new Set();

/** The variables of the loop that keep the last value of each `ifchanged`, by the offset of the tag. */
function seenIn(ctx: EmitContext, { body }: For): ReadonlyMap<number, string> {
  const offsets = ctx.unit.hasIfChanged ? lastValuesIn(body) : [];
  return new Map(offsets.map((offset) => [offset, freshName(ctx, 'seen')]));
}

/** Longest text that may be written into the code twice, in UTF-16 units. */
const maxSharedText = 500;

/** The nodes of a round. `first` and `last` are split off if the round begins and ends with a short text. */
type Round =
  | { readonly first: Text; readonly body: readonly Node[]; readonly last: Text }
  | { readonly first?: never; readonly body: readonly Node[]; readonly last?: never };

function roundOf(nodes: readonly Node[]): Round {
  const [first] = nodes;
  const last = nodes.at(-1);
  const joins = first !== last && first?.type === 'Text' && last?.type === 'Text';
  if (!joins || first.value.length + last.value.length > maxSharedText) return { body: nodes };
  return { first, body: nodes.slice(1, -1), last };
}

/** The body of `{% empty %}` has a scope of its own, like the body of the loop. */
function emitEmpty(ctx: EmitContext, nodes: readonly Node[]): void {
  const inner = { ...ctx, scope: new Scope(ctx.scope) };
  declareAssigned(inner, nodes, ctx);
  ctx.emitBody(inner, nodes);
}

/** Declares the names that the body assigns, and binds the loop variables. */
function declareInLoop(inner: EmitContext, node: For, ctx: EmitContext, assigned: ReadonlySet<string>): void {
  const { scope } = inner;
  declareAssigned(inner, node.body, ctx);
  for (const target of node.targets) {
    const declared = assigned.has(target) ? scope.find(target) : undefined;
    const js = declared?.kind === 'local' ? declared.js : freshName(ctx, target);
    // Binding a declared name once more says that the loop owns it: a cycle changes no outer name.
    scope.bind(target, { kind: 'local', js });
  }
}

type LoopNames = Pick<LoopBinding, 'index' | 'length' | 'memory' | 'seen'>;

function loopBinding(ctx: EmitContext, { index, length, memory, seen }: LoopNames): LoopBinding {
  const outer = ctx.scope.find('forloop');
  return {
    kind: 'loop',
    index,
    length,
    memory,
    seen,
    parentJs: () => (outer?.kind === 'loop' ? loopObject(ctx, outer) : emitPassed(ctx, 'forloop')),
    parentLoop: outer?.kind === 'loop' ? outer : undefined,
  };
}

function bindTargets(ctx: EmitContext, node: For, item: string, assigned: ReadonlySet<string>): void {
  const names = node.targets.map((target) => {
    const binding = ctx.scope.find(target);
    return binding?.kind === 'local' ? binding.js : freshName(ctx, target);
  });
  const [first = ''] = names;
  if (names.length === 1) {
    ctx.writer.line(`${declares(node.targets[0], assigned)}${first} = ${item};`, node.start);
    return;
  }
  const parts = freshName(ctx, 'parts');
  ctx.writer.line(
    `const ${parts} = ${mark(node.start)}${callHelper(ctx, 'unpack', item, String(names.length))};`,
    node.start,
  );
  names.forEach((name, position) => {
    // If a name is given twice, the last one counts, as in Django.
    if (names.lastIndexOf(name) !== position) return;
    ctx.writer.line(
      `${declares(node.targets[position], assigned)}${name} = ${parts}[${position}];`,
      node.start,
    );
  });
}

/** No constants: a cycle in a block or an included template may change a loop variable. */
function declares(target: string | undefined, assigned: ReadonlySet<string>): string {
  return target !== undefined && assigned.has(target) ? '' : 'let ';
}
