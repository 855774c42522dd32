import type { ChangeSetItem } from '../api/generated/schema.ts';
import type { Editable, EditorStore } from './editor-store.ts';
import { type Fields, toFieldRecord } from './merge/fields.ts';

/** How the changes of an editor wait, in a working copy or a release. */
export interface Preparation<Value extends Editable> {
  /** Kind of the object, as the batch calls it. */
  readonly kind: string;
  /** Address of the object below `/api/v1`. */
  readonly path: string;
  /** Fields that go live at once, because other things follow them. */
  readonly liveFields?: readonly string[];
  /** What the publication of an object sets that visitors do not have yet; undefined if they have it. */
  firstPublication?(base: Value): Fields | undefined;
  /** Changed fields as the API takes them. Default: as they are. */
  toBody?(base: Value, fields: Fields): Fields;
  /** An answer of the API as the editor has it. Default: as it is. */
  toValue?(object: object): Value;
}

/** The changed fields that cannot wait. */
export function pickLiveChanges<Value extends Editable>(
  store: EditorStore<Value>,
  { liveFields = [] }: Preparation<Value>,
): Fields {
  const changes = Object.entries(toFieldRecord(store.changes));
  return Object.fromEntries(changes.filter(([name]) => liveFields.includes(name)));
}

/** What a working copy changes, by the names of the editor. */
export function pickCopied<Value extends Editable>(
  store: EditorStore<Value>,
  item: ChangeSetItem | null | undefined,
): Fields {
  const base = toFieldRecord(store.base);
  // The words of a page are one field of the editor.
  const names = (item?.fields ?? []).map((name) => (name in base ? name : (name.split('.')[0] ?? name)));
  return Object.fromEntries(names.filter((name) => name in base).map((name) => [name, base[name]]));
}
