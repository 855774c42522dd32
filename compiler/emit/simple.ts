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
import { type EmitContext, freshName, Scope } from './context.ts';
import { emitOperand, emitPlain, emitValue } from './expression.ts';
import { assign } from './scopes.ts';
import { literal, mark } from './writer.ts';

export function emitAutoescape(ctx: EmitContext, node: Autoescape): void {
  ctx.emitBody({ ...ctx, autoescape: node.on }, node.body);
}

/** `{% filter f|g %}`: the body is rendered aside and goes through the chain as safe text. */
export function emitFilterBlock(ctx: EmitContext, node: FilterBlock): void {
  // Escaping has been done inside; what the filters return is printed as it is.
  capture(ctx, node, (captured) => emitPlain({ ...ctx, captured }, node.value));
}

export function emitCache(ctx: EmitContext, node: Cache): void {
  const forever = node.timeout.type === 'Literal' && node.timeout.value === null;
  if (!forever) {
    ctx.writer.line(`checkTimeout(${mark(node.start)}${emitOperand(ctx, node.timeout)});`, node.start);
  }
  ctx.emitBody(ctx, node.body);
}

export function emitSpaceless(ctx: EmitContext, node: Spaceless): void {
  capture(ctx, node, (captured) => `spaceless(r.charge(${captured}))`);
}

/** Renders a body into a variable of its own and appends what `finish` makes of it. */
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
      ctx.emitBody(ctx, node.body);
      ctx.writer.line(`const ${captured} = o;`);
      ctx.writer.line(`o = ${before} + ${mark(node.start)}${finish(captured)};`, node.start);
    },
    '}',
    node.start,
  );
}

/** `{% firstof a b "c" as x %}`: the first value that is true, escaped, or nothing. */
export function emitFirstOf(ctx: EmitContext, node: FirstOf): void {
  if (node.as !== undefined) {
    assign(ctx, node.as, `firstTrue(r, [${operands(ctx, node.values)}])`, node.start);
    return;
  }
  const print = ctx.autoescape ? 'escape' : 'text';
  ctx.writer.line(
    `o += ${mark(node.start)}${print}(firstTrue(r, [${operands(ctx, node.values)}]));`,
    node.start,
  );
}

function operands(ctx: EmitContext, values: readonly Expression[]): string {
  return values.map((value) => emitValue(ctx, value, 'none')).join(', ');
}

/** `{% now "Y-m-d" as x %}`: the date filter on the time of the render. A format of the author is markup. */
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
  else ctx.writer.line(`o += ${ctx.autoescape ? 'escape' : 'text'}(${js});`, node.start);
}

/** `{% regroup list by key as name %}`: runs of entries whose keys are equal. */
export function emitRegroup(ctx: EmitContext, node: Regroup): void {
  const entry = freshName(ctx, 'entry');
  const scope = new Scope(ctx.scope);
  scope.bind(node.entry, { kind: 'local', js: entry });
  const key = emitValue({ ...ctx, scope }, node.key, 'none');
  const js = `regroup(r, ${emitOperand(ctx, node.list)}, (${entry}) => ${key})`;
  assign(ctx, node.as, mark(node.start) + js, node.start);
}

export function emitWidthRatio(ctx: EmitContext, node: WidthRatio): void {
  const args = [node.value, node.max, node.width].map((value) => emitOperand(ctx, value));
  printOrAssign(ctx, node, `${mark(node.start)}widthRatio(${args.join(', ')})`);
}

export function emitLorem(ctx: EmitContext, node: Lorem): void {
  const js = `lorem(${emitOperand(ctx, node.count)}, ${literal(node.method)}, ${node.random})`;
  ctx.writer.line(`o += ${mark(node.start)}${js};`, node.start);
}

/** `{% querystring base key=value as name %}`: the query of the request or of the maps given, with the values changed. */
export function emitQueryString(ctx: EmitContext, node: QueryString): void {
  const request: Expression = { type: 'Name', name: 'route', start: node.start, end: node.end };
  const bases = node.bases.map((base) => emitOperand(ctx, base));
  const from = bases.length > 0 ? bases.join(', ') : `get(${emitOperand(ctx, request)}, "query")`;
  const changes = node.bindings.map(({ name, value }) => `[${literal(name)}, ${emitOperand(ctx, value)}]`);
  printOrAssign(ctx, node, `r.charge(${mark(node.start)}queryString([${from}], [${changes.join(', ')}]))`);
}
