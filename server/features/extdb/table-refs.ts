import type { ExtdbTable } from './model.ts';

/** Gives every table what nodes call it: its name if no other has it, else `source/name`, else its ID. */
export function withRefs(tables: readonly Omit<ExtdbTable, 'ref'>[]): ExtdbTable[] {
  const names = counted(tables.map(({ name }) => name));
  const qualified = counted(tables.map(qualifiedName));
  return tables.map((table) => ({ ...table, ref: refOf(table, names, qualified) }));
}

/** Finds a table by what nodes call it, by `source/name`, or by ID; a name counts only if one table has it. */
export function findTable(tables: readonly ExtdbTable[], text: string): ExtdbTable | undefined {
  for (const matches of [
    ({ ref }: ExtdbTable) => ref === text,
    ({ id }: ExtdbTable) => id === text,
    (table: ExtdbTable) => qualifiedName(table) === text,
    ({ name }: ExtdbTable) => name === text,
  ]) {
    const found = tables.filter(matches);
    if (found.length === 1) return found[0];
  }
  return undefined;
}

function refOf(
  table: Omit<ExtdbTable, 'ref'>,
  names: ReadonlyMap<string, number>,
  qualified: ReadonlyMap<string, number>,
): string {
  if (names.get(table.name) === 1) return table.name;
  return table.source !== '' && qualified.get(qualifiedName(table)) === 1 ? qualifiedName(table) : table.id;
}

function qualifiedName({ source, name }: Pick<ExtdbTable, 'source' | 'name'>): string {
  return `${source}/${name}`;
}

function counted(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
