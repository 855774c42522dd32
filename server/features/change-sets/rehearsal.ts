/** Edits of objects as they would be live: made together with the change set, read, and taken back. */
import { isDeepStrictEqual } from 'node:util';
import { apiError } from '../../base/errors.ts';
import type { Warning } from '../../base/warnings.ts';
import type { Change } from '../../changes/changes.ts';
import type { TextReport } from '../../changes/text-analysis.ts';
import { warnOfTakenObject } from '../../content/kinds/broken-rules.ts';
import type { BatchScope, Kind, ObjectState } from '../../content/kinds/kind.ts';
import { createObject, listWarnings, removeObject, updateObject } from '../../content/kinds/objects.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { Operation } from '../batch/form.ts';
import { findChanges, readFields } from './fields.ts';
import { type Arrangement, findTitle, type SetItem } from './items.ts';

/** What is done with an object. */
export interface Edit {
  readonly kind: Kind;
  readonly op: Operation['op'];
  readonly body: object;
  readonly id: number;
  /** What the object belongs to, if an operation of a batch says so. */
  readonly scope?: BatchScope | undefined;
}

/** An object with a change set, as it is shown. */
export interface ShownObject {
  /** The object as its GET shows it; one that is deleted as it was. */
  readonly object: object;
  readonly warnings: readonly Warning[];
  /** About its texts, in order. */
  readonly reports: readonly TextReport[];
}

/** An edit after its rehearsal. */
export interface Rehearsed extends Edit, ShownObject {
  readonly before: ObjectState | undefined;
  readonly after: ObjectState;
}

/**
 * Does the edit, and reads the object as its GET shows it. Part of what is taken back.
 *
 * @param hasSnippet whether the change set makes a snippet of this name; asked at the end of the rehearsal
 */
export async function rehearseEdit(
  inner: Change,
  edit: Edit,
  { hasSnippet, strict }: { hasSnippet(name: unknown): boolean; readonly strict: boolean },
): Promise<Rehearsed> {
  const { kind, id } = edit;
  const before = await kind.find(inner.tx, id);
  await doEdit(inner, edit, strict);
  // One that is deleted is shown as it was.
  const stored = await kind.find(inner.tx, id);
  const after = stored ?? before;
  if (after === undefined) throw apiError('common.notFound', {});
  const taken = await warnOfTakenStep(inner.tx, { kind, takesAsIs: inner.takesAsIs }, stored);
  return Object.assign(readShown(inner, kind, after, hasSnippet, taken), { ...edit, before, after });
}

/** The warning about an object of a change set that takes entries as they are. @param state undefined once deleted */
export async function warnOfTakenStep(
  db: ContentDb,
  { kind, takesAsIs }: Pick<SetItem, 'kind' | 'takesAsIs'>,
  state: ObjectState | undefined,
): Promise<Warning[]> {
  return takesAsIs === true && state !== undefined ? warnOfTakenObject(kind, db, state) : [];
}

/**
 * Reads an object as its GET shows it; the result is there at the end of the rehearsal.
 *
 * @param warnings about the object, besides those about its texts
 */
export function readShown(
  inner: Change,
  kind: Kind,
  state: ObjectState,
  hasSnippet: (name: unknown) => boolean,
  warnings: readonly Warning[] = [],
): ShownObject {
  const shown = {
    object: {},
    warnings: [] as readonly Warning[],
    reports: [] as readonly TextReport[],
  };
  const visible = kind.redactFor?.(inner.actor, state) ?? state;
  inner.inspect(kind.texts?.(state) ?? [], async (reports) => {
    shown.object = (await kind.present?.(visible, reports, inner.tx)) ?? visible;
    const found = listWarnings(kind, state, reports).filter(({ code, params }) => {
      const isUnknown = code === 'template.unknownSnippet';
      return !(isUnknown && hasSnippet(params['name']));
    });
    shown.warnings = [...found, ...warnings];
    shown.reports = reports;
  });
  return shown;
}

async function doEdit(inner: Change, { kind, op, id, body }: Edit, strict: boolean): Promise<void> {
  if (op === 'delete') return removeObject(inner, kind, id);
  if (op === 'update') {
    const { base_updated_at: _base, ...fields } = Object(body);
    await updateObject(inner, kind, id, fields, { strict, isNew: true });
    return;
  }
  if (op !== 'create') return kind.batch?.more?.[op]?.run(inner, id, body);
  const [table = kind.name] = kind.tables;
  inner.tx.promisedIds.set(table, id);
  try {
    await createObject(inner, kind, body, { strict });
  } finally {
    inner.tx.promisedIds.delete(table);
  }
}

/** Texts are inspected when nobody else can see the snippets of the change set. */
export function namesSnippet({ kind, creation = {}, fields }: SetItem, name: unknown): boolean {
  return kind.name === 'snippet' && [Reflect.get(creation, 'name'), fields['name']].includes(name);
}

/** The item with the edit. */
export function mergeEdit(
  known: SetItem | undefined,
  { kind, op, id, body, before, after }: Rehearsed,
  live: ObjectState | undefined,
  position: number,
): Omit<SetItem, 'authors' | 'saves' | 'updatedAt'> {
  const item = known ?? {
    ...{ kind, id, position, title: '', base: live, creation: undefined },
    ...{ isDeleted: false, fields: {}, arrangements: [] },
  };
  const title = findTitle(kind, after);
  if (op === 'create') return { ...item, title, creation: body };
  if (op === 'delete') {
    const isOwn = item.creation !== undefined;
    return { ...item, title, position, creation: undefined, isDeleted: !isOwn, fields: {}, arrangements: [] };
  }
  if (op !== 'update') {
    return { ...item, title, arrangements: mergeArrangements(item, { op, body }, after) };
  }
  const changes = findChanges(readFields(kind, before), readFields(kind, after));
  const base = item.base === undefined ? undefined : readFields(kind, item.base);
  const fields = Object.entries({ ...item.fields, ...changes }).filter(
    ([name, value]) => value !== undefined && !(base !== undefined && isDeepStrictEqual(base[name], value)),
  );
  return { ...item, title, fields: Object.fromEntries(fields) };
}

/** The last move counts, and the last bytes; a move that leads back to where the object was is none. */
function mergeArrangements(
  { arrangements, base }: Pick<SetItem, 'arrangements' | 'base'>,
  added: Arrangement,
  after: ObjectState,
): readonly Arrangement[] {
  if (added.op === 'replace') return [...arrangements.filter(({ op }) => op !== 'replace'), added];
  if (added.op !== 'move') return [...arrangements, added];
  const others = arrangements.filter(({ op }) => op !== 'move');
  const isBack = (['parent_id', 'sort'] as const).every(
    (name) => Reflect.get(base ?? {}, name) === Reflect.get(after, name),
  );
  return isBack ? others : [...others, added];
}
