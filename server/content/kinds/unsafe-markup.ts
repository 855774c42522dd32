/** Refuses markup that runs code, from people who may not write code. */
import type { MarkupValue, UnsafeMarkup } from '../../../runtime/tasks/messages/checks.ts';
import { apiError, busy } from '../../base/errors.ts';
import { allows, type Placement } from '../../base/rights.ts';
import type { Change } from '../../changes/changes.ts';
import { type TextReport, toMarkupText } from '../../changes/text-analysis.ts';
import type { PlacedMarkup } from '../fields/markup.ts';
import { placeObject } from './decide.ts';
import type { Kind, ObjectState } from './kind.ts';

/** Most values of one text to check, in characters, so that an import of many entries is checked in parts. */
const charactersPerText = 2 ** 18;

/**
 * Refuses the change at its end if a value of the object could run code in browsers, its author may not write code, and
 * the value is not the stored one.
 *
 * @param before undefined for a new object
 * @throws in the change: ApiError 422 `auth.unsafeHtml`
 */
export async function refuseUnsafeMarkup<State extends ObjectState>(
  change: Change,
  kind: Pick<Kind<State>, 'name' | 'rights' | 'listMarkup'>,
  after: State,
  before: State | undefined,
): Promise<void> {
  if (kind.listMarkup === undefined || change.actor.grants === undefined) return;
  const places = await Promise.all(
    [before ?? after, after].map((state) => placeObject(kind, change.tx, state)),
  );
  if (places.every((place) => mayWriteCode(change, place))) return;
  const stored = before === undefined ? [] : await kind.listMarkup(change, before);
  refuseUnsafe(change, listChanged(await kind.listMarkup(change, after), stored));
}

/** Whether the author of a change may write code there. */
export function mayWriteCode({ actor: { grants } }: Pick<Change, 'actor'>, placement: Placement): boolean {
  return grants === undefined || allows(grants, 'code', placement);
}

/** The values that are not the stored ones. */
export function listChanged(after: readonly PlacedMarkup[], before: readonly PlacedMarkup[]): PlacedMarkup[] {
  const stored = new Map(before.map(({ key, text }) => [key, text]));
  return after.filter(({ key, text }) => stored.get(key) !== text);
}

/** Refuses the change at its end if one of the values could run code. */
export function refuseUnsafe({ inspect }: Pick<Change, 'inspect'>, values: readonly PlacedMarkup[]): void {
  const texts = groupBySize(values.filter(mayBeUnsafe)).map((group) =>
    toMarkupText(group.map(({ type, field, text }) => ({ type, field, text }))),
  );
  if (texts.length > 0) inspect(texts, refuseReported);
}

function refuseReported(reports: readonly TextReport[]): void {
  // Nobody knows whether the values are safe.
  if (reports.some(({ failed }) => failed === true)) throw busy(1);
  const [first]: readonly UnsafeMarkup[] = reports.flatMap(({ unsafe }) => unsafe);
  if (first !== undefined) throw apiError('auth.unsafeHtml', { field: first.field, found: first.found });
}

/** Without these characters there is no element, and in Markdown no address with a protocol. */
function mayBeUnsafe({ type, text }: MarkupValue): boolean {
  return type === 'html' ? text.includes('<') : /[<:&]/.test(text);
}

function groupBySize(values: readonly PlacedMarkup[]): PlacedMarkup[][] {
  const groups: PlacedMarkup[][] = [];
  let size = charactersPerText;
  for (const value of values) {
    if (size >= charactersPerText) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)?.push(value);
    size += value.text.length;
  }
  return groups;
}
