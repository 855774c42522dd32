/** What people call a field that the server names by its path, such as `flow.nodes.6.config.cron`. */
import { toRecord } from './failure.ts';

/** Texts for fields inside of others, by the path of those; the first group that has a text counts. */
const groups: readonly (readonly [path: RegExp, groups: readonly string[]])[] = [
  [/^flow\.nodes\.\d+\./, ['workflows.settings']],
  [/^fields\.\d+\./, ['schema']],
  [/^schema\./, ['blockType', 'schema']],
];

/** Parts of paths that hold other fields and have no name on any screen. */
const holders = new Set(['flow', 'config', 'data', 'schema']);

/** Where a text has another name than the field. */
const keyOf: Readonly<Record<string, string>> = { 'schema.collection': 'schema.linked' };

/** A text by its key; undefined if there is none. */
type FindText = (key: string) => string | undefined;

/**
 * @param sent the body that the path leads into; its objects are called as their owner has called them
 * @param findText passed in, so that this is tested alone
 */
export function nameOfPath(path: string, sent: unknown, findText: FindText): string {
  const own = findText(`fields.${path}`);
  if (own !== undefined) return own;
  const names: string[] = [];
  let value = sent;
  for (const [place, part] of path.split('.').entries()) {
    const holder = toRecord(value);
    value = holder[part];
    if (/^\d+$/.test(part) && place > 0) {
      const list = names.pop();
      names.push(nameOfElement(value, findText) ?? [list, Number(part) + 1].filter(Boolean).join(' '));
    } else if (!holders.has(part)) names.push(textOf(part, path, holder, findText));
  }
  return names.length === 0 ? path : names.join(', ');
}

function textOf(
  part: string,
  path: string,
  { type }: Readonly<Record<string, unknown>>,
  findText: FindText,
): string {
  const inside = groups.find(([pattern]) => pattern.test(path))?.[1] ?? [];
  for (const group of [`workflows.ofType.${String(type)}`, ...inside, 'fields']) {
    const key = `${group}.${part}`;
    const text = findText(keyOf[key] ?? key);
    if (text !== undefined) return text;
  }
  return part;
}

/** An element of a list by the first of its names; undefined if it has none. */
function nameOfElement(value: unknown, findText: FindText): string | undefined {
  const { label, name, title, type } = toRecord(value);
  const own = [label, name, title].find((text) => typeof text === 'string' && text.trim() !== '');
  if (own !== undefined) return `"${String(own)}"`;
  return findText(`workflows.types.${String(type)}.name`);
}
