/** Tags that only wrap or print: autoescape, filter, spaceless, firstof, now and the like. */
import type {
  Autoescape,
  Cache,
  Expression,
  FilterBlock,
  FirstOf,
  Lorem,
  Node,
  Now,
  QueryString,
  Regroup,
  Spaceless,
  WidthRatio,
} from '../../grammar/ast.ts';
import { callHelper, type EmitContext, freshName, Scope, waitsFor } from './context.ts';
import { emitOperand, emitPlain, emitValue } from './expression.ts';
import { assign } from './scopes.ts';
import { literal, mark } from './writer.ts';

export function emitAutoescape(ctx: EmitContext, node: Autoescape): void {
  ctx.emitBody({ ...ctx, autoescape: node.on }, node.body);
}

/** `{% filter f|g %}`: the body is rendered into a variable and goes through the filters as safe text. */
export function emitFilterBlock(ctx: EmitContext, node: FilterBlock): void {
  // The body is escaped already, so the result of the filters is printed as it is.
  capture(ctx, node, (captured) => emitPlain({ ...ctx, captured }, node.value));
}

export function emitCache(ctx: EmitContext, node: Cache): void {
  const forever = node.timeout.type === 'Literal' && node.timeout.value === null;
  if (!forever) {
    const timeout = mark(node.start) + emitOperand(ctx, node.timeout);
    ctx.writer.line(`${callHelper(ctx, 'checkTimeout', timeout)};`, node.start);
  }
  ctx.emitBody(ctx, node.body);
}

export function emitSpaceless(ctx: EmitContext, node: Spaceless): void {
  capture(ctx, node, (captured) => callHelper(ctx, 'spaceless', `r.charge(${captured})`));
}

/** Renders a body into a variable of its own and appends the result of `finish`. */
function capture(
  ctx: EmitContext,
  node: { readonly body: readonly Node[]; readonly start: number },
  finish: (captured: string) => string,
): void {
  const before = freshName(ctx, 'before');
  const captured = freshName(ctx, 'captured');
  ctx.writer.block(
    '{',
    () => {
      ctx.writer.line(`const ${before} = o; o = "";`, node.start);
      ctx.emitBody({ ...ctx, fill: undefined }, node.body);
      ctx.writer.line(`const ${captured} = o;`);
      ctx.writer.line(`o = ${before} + ${mark(node.start)}${finish(captured)};`, node.start);
    },
    '}',
    node.start,
  );
}

/**
 * `{% firstof a b "c" as x %}`: the first value that is true, escaped, or nothing. Values after it are not
 * computed. The code is a list of steps, because a nested expression of many values may be too deep.
 *
 *     let first_1; found_1: { if (truthy(first_1 = c.a, r)) break found_1; ...; first_1 = ""; }
 */
export function emitFirstOf(ctx: EmitContext, node: FirstOf): void {
  const first = freshName(ctx, 'first');
  const found = freshName(ctx, 'found');
  ctx.writer.line(`let ${first};`, node.start);
  ctx.writer.block(`${found}: {`, () => {
    for (const value of node.values) {
      const test = callHelper(ctx, 'truthy', `${first} = ${emitValue(ctx, value, 'none')}`, 'r');
      ctx.writer.line(`if (${mark(value.start)}${test}) break ${found};`, node.start);
    }
    ctx.writer.line(`${first} = "";`);
  });
  // As in Django, the variable holds what the tag would print.
  const kept = ctx.autoescape
    ? `${first} === "" ? "" : new ${callHelper(ctx, 'SafeString', printed(ctx, first))}`
    : printed(ctx, first);
  if (node.as !== undefined) assign(ctx, node.as, kept, node.start);
  else ctx.writer.line(`o += ${printed(ctx, first)};`, node.start);
}

/** `{% now "Y-m-d" as x %}`: the date filter on the time of the render. A literal format may hold HTML. */
export function emitNow(ctx: EmitContext, node: Now): void {
  const trusted = node.format.type === 'Literal' ? { ...ctx, autoescape: false } : ctx;
  printOrAssign(trusted, node, `${mark(node.start)}r.now(${emitOperand(ctx, node.format)})`);
}

function printOrAssign(
  ctx: EmitContext,
  node: { readonly as?: string; readonly start: number },
  js: string,
): void {
  if (node.as !== undefined) assign(ctx, node.as, js, node.start);
  else ctx.writer.line(`o += ${printed(ctx, js)};`, node.start);
}

function printed(ctx: EmitContext, js: string): string {
  return callHelper(ctx, ctx.autoescape ? 'escape' : 'text', js);
}

/** `{% regroup list by key as name %}`: runs of entries whose keys are equal. */
export function emitRegroup(ctx: EmitContext, node: Regroup): void {
  const entry = freshName(ctx, 'entry');
  const scope = new Scope(ctx.scope);
  scope.bind(node.entry, { kind: 'local', js: entry });
  const { code: key, waits } = waitsFor(ctx, () => emitValue({ ...ctx, scope }, node.key, 'none'));
  const list = emitOperand(ctx, node.list);
  const js = waits
    ? `await ${callHelper(ctx, 'regroupLater', 'r', list, `async (${entry}) => ${key}`)}`
    : callHelper(ctx, 'regroup', 'r', list, `(${entry}) => ${key}`);
  assign(ctx, node.as, mark(node.start) + js, node.start);
}

export function emitWidthRatio(ctx: EmitContext, node: WidthRatio): void {
  const args = [node.value, node.max, node.width].map((value) => emitOperand(ctx, value));
  printOrAssign(ctx, node, mark(node.start) + callHelper(ctx, 'widthRatio', ...args));
}

export function emitLorem(ctx: EmitContext, node: Lorem): void {
  const { method, random } = node;
  const js = callHelper(ctx, 'lorem', emitOperand(ctx, node.count), literal(method), String(random));
  ctx.writer.line(`o += ${mark(node.start)}${js};`, node.start);
}

/** `{% querystring base key=value as name %}`: the query of the request or the given maps, changed. */
export function emitQueryString(ctx: EmitContext, node: QueryString): void {
  const request: Expression = { type: 'Name', name: 'route', start: node.start, end: node.end };
  const bases = node.bases.map((base) => emitOperand(ctx, base));
  const from =
    bases.length > 0 ? bases.join(', ') : callHelper(ctx, 'get', emitOperand(ctx, request), '"query"');
  const changes = node.bindings.map(({ name, value }) => `[${literal(name)}, ${emitOperand(ctx, value)}]`);
  const query = callHelper(ctx, 'queryString', `[${from}]`, `[${changes.join(', ')}]`);
  printOrAssign(ctx, node, `r.charge(${mark(node.start)}${query})`);
}
