/** `{% macro %}` becomes a function of the unit, `{% import %}` a cell per macro. */
import type { Import, Macro } from '../../grammar/ast.ts';
import { macroFunction } from './call.ts';
import {
  callHelper,
  cell,
  type EmitContext,
  freshName,
  functionHead,
  type Imported,
  Scope,
} from './context.ts';
import { emitOperand, emitValue } from './expression.ts';
import { declareAssigned } from './scopes.ts';
import { literal } from './writer.ts';

/** A macro sees its parameters and the render context, never the variables around its definition. */
export function emitMacro(ctx: EmitContext, node: Macro): void {
  const scope = new Scope();
  const inner: EmitContext = {
    ...ctx,
    scope,
    autoescape: true,
    inMacro: true,
    superOf: undefined,
    captured: undefined,
  };
  const params = node.params.map(({ name }) => {
    const js = freshName(ctx, name);
    scope.bind(name, { kind: 'local', js });
    return js;
  });
  ctx.writer.block(
    functionHead(ctx, macroFunction(node.name), ['r', 'c', ...params]),
    () => {
      ctx.writer.line(ctx.variant.async ? 'let o = "", t;' : 'let o = "";');
      ctx.writer.line('r.enter(null);', node.start);
      node.params.forEach((param, index) => {
        const value = param.default ? emitValue(inner, param.default) : '""';
        ctx.writer.line(`if (${params[index]} === undefined) ${params[index]} = ${value};`, param.start);
      });
      declareAssigned(inner, node.body, { ...inner, scope: new Scope() });
      ctx.emitBody(inner, node.body);
      ctx.writer.line('r.leave();');
      ctx.writer.line('return o;');
    },
    '}',
    node.start,
  );
}

/** Makes the imported names callable. Runs before any code of the unit is written. */
export function registerImport(ctx: EmitContext, node: Import): void {
  for (const { name, alias } of node.names) {
    ctx.unit.imports.set(alias, importedMacro(ctx, node, name));
  }
}

function importedMacro(ctx: EmitContext, node: Import, name: string): Imported {
  const { template } = node;
  if (template.kind !== 'expression' && ctx.surroundings.reads(template.name) !== undefined) {
    const params = ctx.surroundings.macroParams(template.name, name);
    if (params === undefined) {
      return { kind: 'missing', reason: `"${template.name}" has no macro "${name}"` };
    }
    const target = cell(ctx, {
      kind: 'macro',
      template: template.name,
      macro: name,
      async: ctx.variant.async,
    });
    return { kind: 'static', cell: target, params };
  }
  if (template.kind === 'literal' || (template.kind === 'word' && template.lookup === undefined)) {
    return { kind: 'missing', reason: `there is no snippet "${template.name}"` };
  }
  const value = template.kind === 'expression' ? template.value : template.lookup;
  if (value === undefined) throw new Error('A computed template name without an expression');
  const fallback = template.kind === 'word' ? ` ?? ${literal(template.name)}` : '';
  const named = `${callHelper(ctx, 'nameIn', emitOperand(ctx, value))}${fallback}`;
  const js = callHelper(ctx, 'macroNamed', 'r', named, literal(name), 'self', String(ctx.variant.async));
  return { kind: 'computed', js };
}

/** The code at the place of `{% import %}`: the snippet counts as used, so that its assets are loaded. */
export function emitImport(ctx: EmitContext, node: Import): void {
  const { template } = node;
  if (template.kind === 'expression') return;
  if (ctx.surroundings.reads(template.name) === undefined) {
    if (template.kind === 'literal')
      ctx.writer.line(
        `${callHelper(ctx, 'fail', literal(`there is no snippet "${template.name}"`))};`,
        node.start,
      );
    return;
  }
  ctx.writer.line(`r.use(${literal(template.name)});`, node.start);
}
