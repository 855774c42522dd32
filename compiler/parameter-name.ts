/** Names of variables that every block has; no parameter can have one of these names. */
const reserved: ReadonlySet<string> = new Set(['block', 'slots', 'id']);

const maxLength = 200;

/** Whether a parameter of a block type, or a region of a page, may have a name. */
export function isParameterName(name: string): boolean {
  return /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name) && name.length <= maxLength && !reserved.has(name);
}
