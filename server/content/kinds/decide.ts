/**
 * The one decision about changes of objects. Whatever changes one (an endpoint, a batch, a change set, an import) comes
 * through here, in its change.
 */
import { isDeepStrictEqual } from 'node:util';
import { apiError } from '../../base/errors.ts';
import { type Lacking, notAllowed, requireRight } from '../../base/refusals/refusal.ts';
import { type Action, allows, type Grants, type Placement } from '../../base/rights.ts';
import type { Change, Decision } from '../../changes/change.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { Kind, ObjectState } from './kind.ts';
import { reviewSettings } from './review-settings.ts';

/** What a decision needs to know of a kind. */
export type DecidedKind<State> = Pick<Kind, 'name'> & {
  readonly rights: Kind<State & ObjectState>['rights'];
  readonly path?: string;
  readonly batch?: unknown;
};

/** An object as it was and as it will be. One that is created has no `before`, one that is deleted no `after`. */
export interface ObjectChange<State> {
  readonly before?: State | undefined;
  readonly after?: State | undefined;
  /** Whether all that is inside of the object is deleted or moved with it. */
  readonly withInside?: boolean | undefined;
  /** The fields that the caller has sent. Only these can need `code`. */
  readonly body?: object | undefined;
}

/**
 * Checks that the caller may change an object, where it was and where it will be.
 *
 * @throws ApiError 404 `common.notFound` if the caller may not even read it, 403 `auth.notAllowed`
 */
export async function decide<State extends ObjectState>(
  change: Pick<Change, 'tx' | 'actor' | 'decision' | 'markDecided'>,
  kind: DecidedKind<State>,
  { before, after, body, withInside = after === undefined }: ObjectChange<State>,
): Promise<void> {
  change.markDecided();
  const { grants, isDecided } = change.actor;
  if (grants === undefined || isDecided === true || change.decision === 'settled') return;
  const places: Placement[] = [];
  for (const state of [before, after])
    if (state !== undefined) places.push(await placeObject(kind, change.tx, state));
  const [first] = places;
  if (before !== undefined && first !== undefined && !allows(grants, 'read', first))
    throw apiError('common.notFound', {});
  const action = chooseAction(change.decision, after === undefined);
  // Who has created something in a change set sees it there.
  if (before === undefined && change.decision === 'draft')
    for (const place of places) requireRight(grants, 'read', place);
  for (const place of places)
    if (!allows(grants, action, place))
      throw notAllowed({
        action,
        kind: kind.name,
        id: before?.id,
        use: before === undefined || action !== 'publish' ? undefined : findCopyPath(kind, grants, place),
      });
  if (before !== undefined && withInside) await decideInside(change, kind, { before, action, places });
  const use = before === undefined || first === undefined ? undefined : findCopyPath(kind, grants, first);
  await decideLiveSave(change, { kind: kind.name, id: before?.id, use });
  if (change.decision === 'publication') return;
  const lacking = { kind: kind.name, id: before?.id };
  for (const field of listCodeFields(kind, { before, after, body }))
    for (const place of places) requireRight(grants, 'code', place, { ...lacking, field });
}

/**
 * Checks that the caller may do the same with all that is inside of an object. Only limits of languages and kinds can
 * let through the object and not what is inside of it.
 *
 * @throws ApiError 403 `auth.notAllowed`, which names only what the caller may read
 */
async function decideInside<State extends ObjectState>(
  { tx, actor: { grants = [] } }: Pick<Change, 'tx' | 'actor'>,
  { name, rights }: DecidedKind<State>,
  {
    before,
    action,
    places,
  }: { readonly before: State; readonly action: Action; readonly places: readonly Placement[] },
): Promise<void> {
  const ofAllInside = grants.filter(({ on }) => on.languages === undefined && on.kinds === undefined);
  if (places.every((place) => allows(ofAllInside, action, place))) return;
  for (const { pages = [], ...own } of (await rights.listInside?.(tx, before)) ?? [])
    for (const place of places) {
      const inner = { ...place, ...own, pages: [...pages, ...(place.pages ?? [])] };
      if (allows(grants, action, inner)) continue;
      const { kind, id } = allows(grants, 'read', inner) ? inner : { kind: name, id: before.id };
      throw notAllowed({ action, kind, id });
    }
}

/**
 * Checks that the caller may change many objects that stand at one place, such as the entries of a collection.
 *
 * @throws ApiError 404 `common.notFound` if the caller may not even read them, 403 `auth.notAllowed`
 */
export async function decideAt(
  change: Pick<Change, 'tx' | 'actor' | 'decision' | 'markDecided'>,
  place: Placement,
  { isRemoval = false }: { readonly isRemoval?: boolean } = {},
): Promise<void> {
  change.markDecided();
  const { grants, isDecided } = change.actor;
  if (grants === undefined || isDecided === true || change.decision === 'settled') return;
  if (!allows(grants, 'read', place)) throw apiError('common.notFound', {});
  requireRight(grants, chooseAction(change.decision, isRemoval), place);
  await decideLiveSave(change, { kind: place.kind });
}

/** Where reviews are required, only who may change the settings goes live without one. @throws ApiError 403 */
async function decideLiveSave(
  { tx, actor: { grants }, decision }: Pick<Change, 'tx' | 'actor' | 'decision'>,
  lacking: Omit<Lacking, 'action'>,
): Promise<void> {
  if (decision !== 'live' || grants === undefined || allows(grants, 'settings')) return;
  if ((await reviewSettings.read(tx)).required) throw notAllowed({ action: 'settings', ...lacking });
}

/** Where an object stands. */
export async function placeObject<State>(
  { name, rights }: Pick<DecidedKind<State>, 'name' | 'rights'>,
  db: ContentDb,
  state: State & ObjectState,
): Promise<Placement> {
  return { kind: name, id: state.id, ...(await rights.place?.(db, state)) };
}

/** Whether grants let an object be read; undefined allows everything. */
export async function mayReadObject<State>(
  grants: Grants | undefined,
  kind: Pick<DecidedKind<State>, 'name' | 'rights'>,
  db: ContentDb,
  state: State & ObjectState,
): Promise<boolean> {
  return grants === undefined || allows(grants, 'read', await placeObject(kind, db, state));
}

/**
 * Checks that the caller may read an object that it wants to change. To be asked before any other check tells something
 * of the object.
 *
 * @throws ApiError 404 `common.notFound`
 */
export async function requireReadable<State extends ObjectState>(
  { tx, actor: { grants, isDecided }, decision }: Pick<Change, 'tx' | 'actor' | 'decision'>,
  kind: Pick<DecidedKind<State>, 'name' | 'rights'>,
  state: State,
  field?: string,
): Promise<void> {
  if (isDecided === true || decision === 'settled' || (await mayReadObject(grants, kind, tx, state))) return;
  throw apiError('common.notFound', field === undefined ? {} : { field });
}

/**
 * Checks that the caller may do something with an object that is no change of it, such as running it.
 *
 * @throws ApiError 404 `common.notFound` if the caller may not even read it, 403 `auth.notAllowed`
 */
export async function requireObjectRight<State>(
  grants: Grants | undefined,
  action: Action,
  kind: Pick<DecidedKind<State>, 'name' | 'rights'>,
  db: ContentDb,
  state: State & ObjectState,
): Promise<void> {
  if (grants === undefined) return;
  const place = await placeObject(kind, db, state);
  if (!allows(grants, 'read', place)) throw apiError('common.notFound', {});
  requireRight(grants, action, place);
}

function chooseAction(decision: Decision, isRemoval: boolean): Action {
  if (decision === 'draft') return 'edit';
  return isRemoval ? 'delete' : 'publish';
}

/** The path of the working copy, for a caller who may edit it. */
function findCopyPath<State>(
  { path, batch }: DecidedKind<State>,
  grants: Grants,
  place: Placement,
): string | undefined {
  if (path === undefined || batch === undefined || !allows(grants, 'edit', place)) return undefined;
  return `${path.replace('{ref}', String(place.collection?.slug ?? ''))}/${place.id}/copy`;
}

/** The fields that are changed and hold code; undefined stands for the whole object. */
function listCodeFields<State extends ObjectState>(
  { rights: { code, templates = [] } }: DecidedKind<State>,
  { before, after, body = {} }: ObjectChange<State>,
): (string | undefined)[] {
  if (code === 'all') return isDeepStrictEqual(before, after) ? [] : [undefined];
  if (after === undefined) return [];
  const isChanged = (name: string) => {
    const value: unknown = Reflect.get(after, name);
    if (!Object.hasOwn(body, name)) return false;
    return before === undefined ? !isEmpty(value) : !isDeepStrictEqual(Reflect.get(before, name), value);
  };
  return [
    ...code.filter(isChanged),
    ...templates.filter((name) => isChanged(name) && hasTag(Reflect.get(after, name))),
  ];
}

/** Whether a value of a new object says nothing. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return value === undefined || value === null || value === '';
  return Object.values(value).every(isEmpty);
}

function hasTag(text: unknown): boolean {
  return typeof text === 'string' && /\{[{%#]/.test(text);
}
