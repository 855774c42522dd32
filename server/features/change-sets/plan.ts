/** What a change set would do now: each item merged with the object as it is live. */
import { TimeSlices } from '../../base/timers.ts';
import type { ObjectState } from '../../content/kinds/kind.ts';
import type { ContentDb } from '../../db/tables.ts';
import { type FieldValues, findChanges, readField, readFields, toBody } from './fields.ts';
import { contentField, type SetItem } from './items.ts';
import { mergeValue } from './merge/merge.ts';
import type { FieldConflict, PublishRequest } from './model.ts';

/** An item with what is to be done for it. */
export interface PlannedItem {
  readonly item: SetItem;
  /** The object as it is live; undefined if there is none. */
  readonly live: ObjectState | undefined;
  /** The body of the PUT. */
  readonly body: object;
  /** True if nothing is to be done, because the live state counts. */
  readonly isDone: boolean;
  /** Whether the body has values that the publication brings to resolve conflicts. */
  readonly hasOwnValues?: boolean;
  /** Whether the object was deleted live and comes back from the trash first. */
  readonly comesBack?: boolean;
  /** The conflicts that nothing has resolved. */
  readonly conflicts: readonly FieldConflict[];
}

type Resolve = NonNullable<PublishRequest['resolve']>;

/** Plans all items. Where both sides have changed a field, that of the change set counts unless `resolve` says else. */
export async function planItems(
  db: ContentDb,
  items: readonly SetItem[],
  resolve: Resolve = {},
): Promise<PlannedItem[]> {
  const planned: PlannedItem[] = [];
  const slices = new TimeSlices();
  for (const item of items) {
    planned.push(planItem(item, await item.kind.find(db, item.id), resolve[`${item.kind.name}:${item.id}`]));
    await slices.next();
  }
  return planned;
}

/** All conflicts, by item and field. */
export function listConflicts(planned: readonly PlannedItem[]): FieldConflict[] {
  return planned.flatMap(({ conflicts }) => conflicts);
}

function planItem(item: SetItem, live: ObjectState | undefined, resolve: FieldValues = {}): PlannedItem {
  const { kind, fields, creation, isDeleted, base } = item;
  if (creation !== undefined) return { item, live, body: toBody(kind, fields), isDone: false, conflicts: [] };
  if (isDeleted) return planDeletion(item, live, resolve);
  if (live === undefined) {
    const conflicts = conflictOf(item, 'deleted', { base: base ?? null, mine: fields, live: null }, resolve);
    const comesBack = resolve['deleted'] === 'mine';
    return {
      item,
      live,
      body: comesBack ? toBody(kind, fields) : {},
      isDone: !comesBack,
      comesBack,
      conflicts,
    };
  }
  const merged: Record<string, unknown> = {};
  const conflicts: FieldConflict[] = [];
  for (const [name, mine] of Object.entries(fields)) {
    const sides = { base: readField(kind, base, name), mine, live: readField(kind, live, name) };
    const { value, conflict } = mergeValue(sides);
    merged[name] = conflict ? chooseValue(resolve[name], sides) : value;
    if (conflict) conflicts.push(...conflictOf(item, name, sides, resolve));
  }
  const hasOwnValues = Object.values(resolve).some((choice) => findValue(choice) !== undefined);
  const planned = planContent(item, live, resolve);
  return {
    ...{ item: planned.item, live, body: toBody(kind, merged), isDone: false, hasOwnValues },
    conflicts: [...conflicts, ...planned.conflicts],
  };
}

/** New bytes for a file whose bytes were replaced live too are a conflict, which `live` resolves without them. */
function planContent(
  item: SetItem,
  live: ObjectState,
  resolve: FieldValues,
): Pick<PlannedItem, 'item' | 'conflicts'> {
  const replacement = item.arrangements.find(({ op }) => op === 'replace');
  const [was, now] = [item.base, live].map((state): unknown => Reflect.get(state ?? {}, contentField));
  if (replacement === undefined || was === now) return { item, conflicts: [] };
  if (resolve[contentField] !== 'live') {
    const sides = { base: null, mine: replacement.body, live: null };
    return { item, conflicts: conflictOf(item, contentField, sides, resolve) };
  }
  const arrangements = item.arrangements.filter((one) => one !== replacement);
  return { item: { ...item, arrangements }, conflicts: [] };
}

/** A deletion of what was changed live is a conflict. */
function planDeletion(item: SetItem, live: ObjectState | undefined, resolve: FieldValues): PlannedItem {
  const { kind, base } = item;
  if (live === undefined) return { item, live, body: {}, isDone: true, conflicts: [] };
  const isChanged = Object.keys(findChanges(readFields(kind, base), readFields(kind, live))).length > 0;
  const sides = { base: base ?? null, mine: null, live };
  const conflicts = isChanged ? conflictOf(item, 'changed', sides, resolve) : [];
  return { item, live, body: {}, isDone: isChanged && resolve['changed'] === 'live', conflicts };
}

/** The conflict, unless it is resolved. */
function conflictOf(
  { kind, id }: SetItem,
  field: string,
  { base = null, mine = null, live = null }: Record<'base' | 'mine' | 'live', unknown>,
  resolve: FieldValues,
): FieldConflict[] {
  return isResolution(resolve[field]) ? [] : [{ kind: kind.name, id, field, base, mine, live }];
}

function isResolution(choice: unknown): boolean {
  return choice === 'mine' || choice === 'live' || findValue(choice) !== undefined;
}

function chooseValue(choice: unknown, { mine, live }: { readonly mine: unknown; readonly live: unknown }) {
  const given = findValue(choice);
  if (given !== undefined) return given.value;
  return choice === 'live' ? live : mine;
}

function findValue(choice: unknown): { readonly value: unknown } | undefined {
  return typeof choice === 'object' && choice !== null && 'value' in choice ? choice : undefined;
}
