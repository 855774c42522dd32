/** The names of queries: `topic`, `date__gte` (Data, Automation and Operations, "Collections and entries"). */

export const operators = [
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'icontains',
  'startswith',
  'endswith',
  'in',
  'isnull',
] as const;
export type Operator = (typeof operators)[number];

/** A name split at its last `__`; the operator of a plain name is empty. */
export function splitOperator(name: string): { readonly field: string; readonly operator: string } {
  const at = name.lastIndexOf('__');
  return at <= 0 || at + 2 === name.length
    ? { field: name, operator: '' }
    : { field: name.slice(0, at), operator: name.slice(at + 2) };
}

export function isOperator(text: string): text is Operator {
  return operators.some((operator) => operator === text);
}
