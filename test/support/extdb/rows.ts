/** The table of the fake database services, with what each of them needs to answer questions about it. */
export type FakeRow = Record<string, unknown>;

export const fakeColumns = ['id', 'title', 'price, net', 'country', 'sold'] as const;

export const token = 'a-secret-token';

export function fakeRows(): FakeRow[] {
  return [
    { id: 1, title: 'Hammer, big', 'price, net': 10.5, country: 'DE', sold: true },
    { id: 2, title: 'x)~or(Id,gt,0', 'price, net': 3, country: 'DE', sold: false },
    { id: 3, title: null, 'price, net': null, country: 'AT', sold: null },
    { id: 4, title: '100% "sure" \\ *', 'price, net': 7, country: 'AT', sold: null },
    { id: 5, title: 'a.b:c(d),e', 'price, net': 1, country: 'CH', sold: true },
  ];
}

export type FakeOperator = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'in' | 'null';

/** Whether a value fits a condition, as in SQL: nothing is true of null but that it is null. */
export function fits(value: unknown, operator: FakeOperator, operand: unknown): boolean {
  if (operator === 'null') return value === null;
  if (value === null) return false;
  const order = (other: unknown) =>
    typeof value === 'number' ? value - Number(other) : String(value).localeCompare(String(other), 'en');
  switch (operator) {
    case 'eq':
      return order(operand) === 0;
    case 'neq':
      return order(operand) !== 0;
    case 'gt':
      return order(operand) > 0;
    case 'gte':
      return order(operand) >= 0;
    case 'lt':
      return order(operand) < 0;
    case 'lte':
      return order(operand) <= 0;
    case 'like':
      return likePattern(String(operand)).test(String(value));
    case 'in':
      return Array.isArray(operand) && operand.some((one) => order(one) === 0);
  }
}

function likePattern(pattern: string): RegExp {
  const parts = pattern.split('%').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*').replaceAll('_', '.')}$`, 's');
}

/** Rows in the order of several columns; null comes last. */
export function sorted(
  rows: readonly FakeRow[],
  order: readonly { readonly col: string; readonly desc: boolean }[],
): FakeRow[] {
  return [...rows].sort((left, right) => {
    for (const { col, desc } of order) {
      const a = left[col];
      const b = right[col];
      if (a === b) continue;
      if (a === null || a === undefined) return 1;
      if (b === null || b === undefined) return -1;
      const isLess = typeof a === 'number' && typeof b === 'number' ? a < b : String(a) < String(b);
      return isLess === desc ? 1 : -1;
    }
    return 0;
  });
}

export function aggregated(rows: readonly FakeRow[], col: string, fn: string): number {
  const numbers = rows.flatMap((row) => (typeof row[col] === 'number' ? [Number(row[col])] : []));
  const sum = numbers.reduce((total, number) => total + number, 0);
  switch (fn.toLowerCase()) {
    case 'sum':
      return sum;
    case 'avg':
      return sum / numbers.length;
    case 'min':
      return Math.min(...numbers);
    case 'max':
      return Math.max(...numbers);
    default:
      return rows.filter((row) => row[col] !== null).length;
  }
}

/** Groups of rows with equal values, in their order. */
export function groupsOf(rows: readonly FakeRow[], columns: readonly string[]): FakeRow[][] {
  const groups = Map.groupBy(rows, (row) => JSON.stringify(columns.map((col) => row[col])));
  return [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

export function picked(row: FakeRow, columns: readonly string[]): FakeRow {
  return Object.fromEntries(columns.map((name) => [name, row[name]]));
}
