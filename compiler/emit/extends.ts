/** `{% extends %}`: a template that runs a layout with blocks of its own. emitUnit writes the blocks. */
import type { Extends, Node } from '../../grammar/ast.ts';
import { awaited, callHelper, cell, type EmitContext } from './context.ts';
import { emitOperand } from './expression.ts';
import { takeRebound } from './rebind.ts';
import { entersInstance } from './reference.ts';
import type { Variant } from './variant.ts';
import { literal, mark } from './writer.ts';

/**
 * The nodes of a template with a layout that run before the layout: `set`, `import`, and the `if` tags around
 * them. Names set here go into the render context, so that blocks and layout see them and the layout is
 * compiled once.
 */
export function listPrelude(nodes: readonly Node[]): readonly Node[] {
  return nodes.flatMap((node): readonly Node[] => {
    if (node.type === 'Set' || node.type === 'Import') return [node];
    if (node.type !== 'If') return [];
    const branches = node.branches.map((branch) => ({ ...branch, body: listPrelude(branch.body) }));
    const otherwise = node.otherwise && listPrelude(node.otherwise);
    if (branches.every((branch) => branch.body.length === 0) && !otherwise?.length) return [];
    return [{ ...node, branches, ...(otherwise && { otherwise }) }];
  });
}

/** Calls the layout. The output of the layout is the output of the template. */
export function emitParent(ctx: EmitContext, node: Extends): void {
  const names = ctx.scope.visible();
  if (names.length > 0 || ctx.variant.isolated) {
    const base = ctx.variant.isolated ? callHelper(ctx, 'globalsOf', 'c') : 'c';
    const entries = names.map((name) => `[${literal(name)}, ${emitVisible(ctx, name)}]`);
    ctx.writer.line(`c = ${callHelper(ctx, 'extend', 'r', base, `[${entries.join(', ')}]`)};`, node.start);
  }
  ctx.writer.line(`o = ${layoutCall(ctx, node)};`, node.start);
  if (names.length === 0) return;
  ctx.writer.line('r.propagateRebinds(c);');
  const taken = takeRebound(ctx, { visible: names, given: false });
  if (taken !== '') ctx.writer.line(`o = o${taken};`);
}

function layoutCall(ctx: EmitContext, { template, start }: Extends): string {
  const at = mark(start);
  const known = template.kind !== 'expression' && ctx.surroundings.reads(template.name) !== undefined;
  const computed = (name: string) =>
    at +
    awaited(
      ctx,
      callHelper(ctx, 'extendNamed', 'r', 'c', 'B', 'self', name, JSON.stringify(parentVariant(ctx))),
    );
  if (template.kind === 'expression') return computed(emitOperand(ctx, template.value));
  const named =
    template.kind === 'word' && template.lookup
      ? callHelper(ctx, 'nameIn', emitOperand(ctx, template.lookup))
      : undefined;
  if (!known) return computed(named ? `${named} ?? ${literal(template.name)}` : literal(template.name));
  const target = cell(ctx, { kind: 'body', template: template.name, variant: parentVariant(ctx) });
  const run = `${target}.run(r, c, B)`;
  const direct = at + awaited(ctx, entersInstance(ctx, template) ? `(r.enterLayout(), ${run})` : run);
  return named ? `${named} === undefined ? ${direct} : ${computed(named)}` : direct;
}

function emitVisible(ctx: EmitContext, name: string): string {
  const binding = ctx.scope.find(name);
  return binding?.kind === 'local' ? binding.js : 'undefined';
}

/** A layout is called without names: the names bound here are in the render context by then. */
function parentVariant(ctx: Pick<EmitContext, 'variant'>): Variant {
  return { names: [], autoescape: ctx.variant.autoescape, isolated: false, async: ctx.variant.async };
}
