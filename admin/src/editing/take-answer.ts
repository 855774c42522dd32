import type { Editable, EditorStore, SaveState } from './editor-store.ts';
import { type Fields, isEqual, toFieldRecord } from './merge/fields.ts';
import { mergeFields } from './merge/merge.ts';
import { joinWords, splitWords } from './merge/named-parts.ts';

/**
 * Takes over the answer to a save, which holds what others have saved too. What was typed after the save was sent is
 * merged into it; if that cannot be, the editor asks.
 *
 * @param sent the fields of the save
 */
export function takeAnswer<Value extends Editable>(
  store: EditorStore<Value>,
  answer: Value,
  sent: Fields,
): void {
  const before = { ...toFieldRecord(store.base), ...sent };
  const later = Object.fromEntries(
    Object.entries(toFieldRecord(store.changes)).filter(([name, value]) => !isEqual(value, sent[name])),
  );
  const theirs = toFieldRecord(answer);
  const { changes, conflicts } = mergeFields(before, later, theirs);
  const [sentParts = sent] = splitWords({ ...sent, region_schema: null });
  // The server merges texts and trees. Any other field that it has accepted has the value of this editor.
  const isOwn = ({ field, theirs: value }: (typeof conflicts)[number]) =>
    field in sentParts && !isMergeable(value);
  const own = Object.fromEntries(conflicts.filter(isOwn).map(({ field, mine }) => [field, mine]));
  if (!conflicts.every(isOwn)) {
    // Type boundary: an object with other values of its fields is such an object.
    store.take(before as unknown as Value, later, { kind: 'conflict', theirs: answer });
    return;
  }
  store.take(keepSame(store, answer), joinWords({ ...changes, ...own }, theirs), savedNow());
}

export function savedNow(): SaveState {
  return { kind: 'saved', at: Math.floor(Date.now() / 1000) };
}

function isMergeable(value: unknown): boolean {
  return Array.isArray(value) || (typeof value === 'string' && value.includes('\n'));
}

/** The answer with the values that the editor has already, so that only what differs is drawn again. */
function keepSame<Value extends Editable>(store: EditorStore<Value>, answer: Value): Value {
  const shown = toFieldRecord(store.whole());
  const entries = Object.entries(toFieldRecord(answer)).map(([name, value]) => [
    name,
    isEqual(value, shown[name]) ? shown[name] : value,
  ]);
  // Type boundary: the same fields with equal values.
  return Object.fromEntries(entries) as Value;
}
