/** Whether the caller may do something with what a change set does, without doing it. */
import type { Route } from '../../api/route.ts';
import type { Actor } from '../../base/actor.ts';
import { withoutReadLimits } from '../../base/content-overlay.ts';
import { apiError } from '../../base/errors.ts';
import { notAllowed, requireRight } from '../../base/refusals/refusal.ts';
import type { Action } from '../../base/rights.ts';
import type { Change, Decision } from '../../changes/change.ts';
import { decide, placeObject } from '../../content/kinds/decide.ts';
import { readAs } from '../../db/readable-rows.ts';
import type { ContentDb } from '../../db/tables.ts';
import { applyPlan } from './apply.ts';
import type { SetItem } from './items.ts';
import type { PublishRequest } from './model.ts';
import { planItems } from './plan.ts';
import { findSet, measureItems } from './store.ts';

/**
 * Checks that a limited caller may read something of a change set, or all of it. Whether there is one, all others learn
 * from what they do with it.
 *
 * @param reader the connection that shows callers what they may read
 * @param wholeFor what needs all of the change set to be readable; default: a part is enough
 * @throws ApiError 404 `common.notFound`, 403 `auth.notAllowed` without the names of what may not be read
 */
export async function requireReadableSet(
  reader: ContentDb,
  { grants }: Actor,
  id: number,
  wholeFor?: Action,
): Promise<void> {
  if (grants === undefined) return;
  await readAs(grants, async () => {
    if ((await findSet(reader, id)) === undefined) throw apiError('common.notFound', {});
    if (wholeFor === undefined) return;
    const count = async () => (await measureItems(reader, id)).count;
    if ((await count()) < (await withoutReadLimits(count)))
      throw notAllowed({ action: wholeFor, kind: 'change_set', id });
  });
}

/** Routes about single change sets, closed to callers who may read nothing of the change set. */
export function closeUnreadableSets(reader: ContentDb, routes: readonly Route[]): Route[] {
  return routes.map((route) =>
    route.path.startsWith('/change-sets/{id}')
      ? checkBefore(route, (actor, params) =>
          requireReadableSet(reader, actor, Number(Reflect.get(params, 'id'))),
        )
      : route,
  );
}

/** A route that is checked once more before it is handled. */
export function checkBefore(route: Route, check: (actor: Actor, params: object) => Promise<unknown>): Route {
  return {
    ...route,
    async handle(input) {
      await check(input.actor, Object(input.params));
      return route.handle?.(input);
    },
  };
}

/**
 * Checks the rights of the caller on some objects of a change set, as they are and as they will be.
 *
 * @param items all of the change set, because an object may be in another one that it creates
 * @throws ApiError `common.notFound`, 403 `auth.notAllowed`
 */
export async function decideItems(
  change: Change,
  items: readonly SetItem[],
  decision: Decision,
  some: readonly SetItem[] = items,
): Promise<void> {
  if (change.actor.grants === undefined) return;
  const planned = await planItems(change.tx, items);
  await change.rehearse(async (inner) => {
    await applyPlan(inner, planned);
    for (const { item, live } of planned) {
      if (!some.includes(item)) continue;
      const { kind, id, base, isDeleted } = item;
      const after = isDeleted ? undefined : await kind.find(inner.tx, id);
      const states = { before: live ?? base, after };
      await decide({ ...inner, decision }, { name: kind.name, rights: kind.rights }, states);
    }
  }, 'settled');
}

/**
 * Checks that the caller may write the values with which conflicts are resolved. What is in the change set, others
 * have written, who had the right then.
 *
 * @throws ApiError 403 `auth.notAllowed`
 */
export async function decideResolutions(
  { tx, actor }: Pick<Change, 'tx' | 'actor'>,
  items: readonly SetItem[],
  resolve: PublishRequest['resolve'] = {},
): Promise<void> {
  if (actor.grants === undefined) return;
  for (const { kind, id, base } of items) {
    const state = (await kind.find(tx, id)) ?? base;
    const { code, templates = [] } = kind.rights;
    for (const [field, choice] of Object.entries(resolve[`${kind.name}:${id}`] ?? {})) {
      const isGiven = typeof choice === 'object' && choice !== null && 'value' in choice;
      const isCode = code === 'all' || code.includes(field) || templates.includes(field);
      if (!isGiven || !isCode || state === undefined) continue;
      requireRight(actor.grants, 'code', await placeObject(kind, tx, state), { field });
    }
  }
}
