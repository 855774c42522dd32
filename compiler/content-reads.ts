/** What a template reads by calling `data`, `item`, `asset_url`, `image`, `file` and `children` with a literal name or number. */
import type { Call, Expression } from '../grammar/ast.ts';
import type { CollectionRead, NumberRead } from './facts.ts';

interface ContentReads {
  readonly collections: CollectionRead[];
  readonly assets: NumberRead[];
  readonly files: NumberRead[];
  readonly pages: NumberRead[];
}

/** Calls with a literal name: `data("news", "topic", x, limit=3)`, `item("news", "slug", route.slug)`. */
export function readContent(found: ContentReads, functionName: string, call: Call): void {
  const { args, named } = call;
  const [first] = args;
  if (first?.type !== 'Literal') return;
  if (functionName === 'asset_url' && typeof first.value === 'number') {
    found.assets.push({ id: first.value, offset: first.start });
  } else if ((functionName === 'image' || functionName === 'file') && typeof first.value === 'number') {
    found.files.push({ id: first.value, offset: first.start });
  } else if (functionName === 'children' && typeof first.value === 'number') {
    found.pages.push({ id: first.value, offset: first.start });
  }
  if ((functionName !== 'data' && functionName !== 'item') || typeof first.value !== 'string') return;
  const literalNames = args.slice(1).filter((_, index) => index % 2 === 0);
  const fields = [
    ...literalNames.flatMap(({ start, ...arg }) =>
      arg.type === 'Literal' && typeof arg.value === 'string' ? [{ name: arg.value, offset: start }] : [],
    ),
    ...named.map(({ name, start }) => ({ name, offset: start })),
  ];
  const [, field, value] = args;
  const byRoute =
    functionName === 'item' && field?.type === 'Literal' && value !== undefined && isRouteSlug(value);
  const routeField = byRoute && typeof field.value === 'string' ? field.value : null;
  const sort = literalOf(call, '_sort');
  found.collections.push({ slug: first.value, offset: first.start, fields, routeField, sort });
}

/** The value of an argument, `data("news", "_sort", "-date")` or `data("news", _sort="-date")`, if it is a text. */
function literalOf({ args, named }: Call, name: string): string | null {
  const place = args.findIndex(
    (arg, index) => index % 2 === 1 && arg.type === 'Literal' && arg.value === name,
  );
  const value = place < 0 ? named.find((arg) => arg.name === name)?.value : args[place + 1];
  return value?.type === 'Literal' && typeof value.value === 'string' ? value.value : null;
}

function isRouteSlug(expression: Expression): boolean {
  return expression.type === 'Member' && expression.key === 'slug' && isName(expression.object, 'route');
}

export function isName(expression: Expression, name: string): boolean {
  return expression.type === 'Name' && expression.name === name;
}
