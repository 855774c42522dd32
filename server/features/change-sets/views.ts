/** How items are shown: in the list, and next to the live state. */
import type { Actor } from '../../base/actor.ts';
import type { ContentDb } from '../../db/tables.ts';
import { type FieldValues, readBodyFields, readFields } from './fields.ts';
import { contentField, findOp, listFieldNames, type SetItem } from './items.ts';
import type { ChangeSetItem, ItemDiff } from './model.ts';
import { type PlannedItem, planItems } from './plan.ts';

export async function presentItems(db: ContentDb, items: readonly SetItem[]): Promise<ChangeSetItem[]> {
  return (await planItems(db, items)).map(presentItem);
}

function presentItem({ item, conflicts }: PlannedItem): ChangeSetItem {
  const { kind, id, title, base, authors, updatedAt } = item;
  const baseUpdatedAt: unknown = Reflect.get(base ?? {}, 'updated_at');
  return {
    ...{ kind: kind.name, id, op: findOp(item), title, fields: listFieldNames(item) },
    base_updated_at: typeof baseUpdatedAt === 'number' ? baseUpdatedAt : null,
    ...{ authors: [...authors], updated_at: updatedAt },
    conflicts: conflicts.map(({ field }) => field),
  };
}

/** GET of the difference: each changed field as it was, as it is here, and as it is live. */
export async function diffItems(db: ContentDb, actor: Actor, items: readonly SetItem[]): Promise<ItemDiff[]> {
  return (await planItems(db, items)).map((planned) => diffItem(actor, planned));
}

function diffItem(actor: Actor, { item, live, conflicts }: PlannedItem): ItemDiff {
  const { kind, id, base, creation = {}, fields, arrangements } = item;
  const seen = (state: typeof live) =>
    state === undefined ? {} : readFields(kind, kind.redactFor?.(actor, state) ?? state);
  const arranged = Object.fromEntries(
    arrangements.map(({ op, body }) => {
      if (op === 'replace') return [contentField, body];
      return op === 'move'
        ? ['parent_id', Reflect.get(body, 'parent_id')]
        : ['translations', { op, ...body }];
    }),
  );
  // Bodies have the form of the state, so a caller may see as much of them.
  const shown = kind.redactFor?.(actor, { ...base, ...creation, ...fields, id }) ?? {};
  const own = Object.entries({ ...readBodyFields(kind, creation), ...fields }).map(([name, value]) => [
    name,
    name in shown ? Reflect.get(shown, name) : value,
  ]);
  const mine: FieldValues = { ...Object.fromEntries(own), ...arranged };
  const [ofBase, ofLive] = [
    { parent_id: Reflect.get(base ?? {}, 'parent_id'), ...seen(base) },
    { parent_id: Reflect.get(live ?? {}, 'parent_id'), ...seen(live) },
  ];
  const whole = conflicts.filter(({ field }) => !(field in mine));
  return {
    ...{ kind: kind.name, id, op: findOp(item) },
    fields: [
      ...Object.entries(mine).map(([field, value]) => ({
        ...{ field, base: find(ofBase, field), mine: value, live: find(ofLive, field) },
        conflict: conflicts.some((conflict) => conflict.field === field),
      })),
      ...whole.map(({ field, base: was, mine: prepared, live: now }) => ({
        ...{ field, base: was, mine: prepared, live: now, conflict: true },
      })),
    ],
  };
}

function find(fields: object, name: string): unknown {
  return Reflect.get(fields, name) ?? null;
}
