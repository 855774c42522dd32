/** Calls: macros of this template, imported macros, template functions. */
import type { Call, Expression } from '../../grammar/ast.ts';
import { errorAt } from '../../grammar/errors.ts';
import {
  awaited,
  callHelper,
  constant,
  type EmitContext,
  helper,
  type Imported,
  type Missing,
  type Value,
} from './context.ts';
import { literal, mangle, mark } from './writer.ts';

/** Emits an argument. The caller passes this function, because arguments may hold calls again. */
type EmitValue = (ctx: EmitContext, expression: Expression, missing?: Missing) => string;

export function emitCall(ctx: EmitContext, call: Call, emitValue: EmitValue): Value {
  if (call.callee.type !== 'Name') {
    throw errorAt(
      ctx.template,
      call.start,
      'only macros and template functions can be called, by their plain name',
    );
  }
  const { name } = call.callee;
  const params = ctx.unit.macros.get(name);
  if (params) return emitMacroCall(ctx, call, emitValue, macroFunction(name), params);
  const imported = ctx.unit.imports.get(name);
  if (imported) return emitImportedCall(ctx, call, emitValue, imported);
  return emitFunctionCall(ctx, call, emitValue, name);
}

/** The JavaScript name of a macro's function. */
export function macroFunction(name: string): string {
  return `macro$$${mangle(name)}`;
}

function emitImportedCall(ctx: EmitContext, call: Call, emitValue: EmitValue, imported: Imported): Value {
  switch (imported.kind) {
    case 'static':
      return emitMacroCall(ctx, call, emitValue, `${imported.cell}.run`, imported.params);
    case 'missing':
      return { kind: 'html', js: mark(call.start) + callHelper(ctx, 'fail', literal(imported.reason)) };
    case 'computed': {
      const args = `[${call.args.map((arg) => emitValue(ctx, arg)).join(', ')}]`;
      return {
        kind: 'html',
        js: mark(call.start) + awaited(ctx, `${imported.js}(r, c, ${args}, ${named(ctx, call, emitValue)})`),
      };
    }
  }
}

function emitMacroCall(
  ctx: EmitContext,
  call: Call,
  emitValue: EmitValue,
  target: string,
  params: readonly string[],
): Value {
  if (call.args.length > params.length) {
    throw errorAt(
      ctx.template,
      call.start,
      `too many arguments: the macro takes ${params.length === 0 ? 'none' : params.join(', ')}`,
    );
  }
  const slots: string[] = call.args.map((arg) => emitValue(ctx, arg));
  for (const { name, value, start } of call.named) {
    const index = params.indexOf(name);
    if (index < 0)
      throw errorAt(ctx.template, start, `the macro has no parameter "${name}", only ${params.join(', ')}`);
    if (slots[index] !== undefined) throw errorAt(ctx.template, start, `parameter "${name}" is given twice`);
    slots[index] = emitValue(ctx, value);
  }
  const args = Array.from(slots, (js) => js ?? 'undefined');
  return {
    kind: 'html',
    js: mark(call.start) + awaited(ctx, `${target}(${['r', 'c', ...args].join(', ')})`),
  };
}

function emitFunctionCall(ctx: EmitContext, call: Call, emitValue: EmitValue, name: string): Value {
  const target = constant(ctx, `${helper(ctx, 'functions')}.get(${literal(name)})`, name);
  const args = `[${call.args.map((arg) => emitValue(ctx, arg, 'none')).join(', ')}]`;
  const js = `${target}.call(r.host, ${args}, ${named(ctx, call, emitValue)})`;
  const value = mark(call.start) + awaited(ctx, js);
  const kept = ctx.unit.keptCalls.get(call);
  return {
    kind: 'any',
    js: kept === undefined ? value : `(${kept} === undefined ? ${kept} = ${value} : ${kept})`,
    maybeMissing: true,
  };
}

function named(ctx: EmitContext, call: Call, emitValue: EmitValue): string {
  if (call.named.length === 0) return helper(ctx, 'NONE');
  const entries = call.named.map(({ name, value }) => `[${literal(name)}, ${emitValue(ctx, value, 'none')}]`);
  return callHelper(ctx, 'mapOf', `[${entries.join(', ')}]`);
}
