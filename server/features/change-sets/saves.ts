/** Who has saved what in a working copy, so that editors who save at the same time do not overwrite each other. */
import { apiError } from '../../base/errors.ts';
import type { Kind, ObjectState } from '../../content/kinds/kind.ts';
import { type FieldValues, readBodyFields, readFields, toBody } from './fields.ts';
import { mergeValue } from './merge/merge.ts';

/** One save of a working copy. */
export interface Save {
  readonly by: string;
  /** The `updated_at` that the copy had then. */
  readonly at: number;
  /** Names of the fields that it changed. */
  readonly fields: readonly string[];
  /** What these fields were before; undefined for an old save. */
  readonly before?: FieldValues | undefined;
}

/** Values before saves are kept up to this many characters of JSON. */
const keptLength = 2 ** 20;

/** The saves with a new one. Of old ones only the names are kept, so that there are never too many. */
export function addSave(saves: readonly Save[], added: Save): readonly Save[] {
  if (added.fields.length === 0) return saves;
  let length = 0;
  const kept: Save[] = [];
  for (const save of [added, ...[...saves].reverse()]) {
    length += JSON.stringify(save.before ?? {}).length;
    const { by, at, fields } = save;
    const last = kept.at(-1);
    if (length <= keptLength && save.before !== undefined) kept.push(save);
    else if (last === undefined || last.by !== by || last.before !== undefined) kept.push({ by, at, fields });
    else kept.splice(-1, 1, { ...last, fields: [...new Set([...last.fields, ...fields])] });
  }
  return kept.reverse();
}

/**
 * The body of a save with what others have saved since its author looked.
 *
 * @param state the object with the copy
 * @throws ApiError 409 `changeset.fieldTaken` if both have changed the same to different values
 */
export function mergeWithSaves(
  kind: Kind,
  body: object,
  state: ObjectState,
  saves: readonly Save[],
  { seen, author }: { readonly seen: number; readonly author: string },
): object {
  const since = saves.filter(({ at }) => at > seen);
  const current = readFields(kind, state);
  const merged = Object.entries(readBodyFields(kind, body)).map(([name, mine]) => {
    const ofField = since.filter(({ fields }) => fields.includes(name));
    const theirs = ofField.findLast(({ by }) => by !== author);
    if (theirs === undefined) return [name, mine] as const;
    // Without the value that the author has seen, everything counts as changed.
    const base = ofField[0]?.before?.[name];
    const { value, conflict, block } = mergeValue({ base, mine, live: current[name] });
    if (!conflict) return [name, value] as const;
    throw apiError('changeset.fieldTaken', {
      ...{ field: name, by: theirs.by },
      ...(block === undefined
        ? { theirs: current[name] ?? null }
        : { block, theirs: findBlock(current[name], block) ?? null }),
    });
  });
  return toBody(kind, Object.fromEntries(merged));
}

/** The block of a tree with an ID. */
function findBlock(value: unknown, id: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value) && Reflect.get(value, 'id') === id) return value;
  for (const inner of Object.values(value)) {
    const found = findBlock(inner, id);
    if (found !== undefined) return found;
  }
  return undefined;
}
