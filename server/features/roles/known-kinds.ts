import { invalid } from '../../base/errors.ts';
import type { Action } from '../../base/rights.ts';
import type { KindsByName } from '../../content/kinds/usage.ts';
import type { CanRequest, RoleUpdate } from './model.ts';

/** The right that decides about objects of the program itself, whatever is done with them. */
export const ownRights: ReadonlyMap<string, Action> = new Map([
  ['user', 'users'],
  ['role', 'users'],
  ['token', 'users'],
  ['setting', 'settings'],
]);

/** @throws ApiError 400 `common.invalid` for a kind that no feature declares */
export function requireKindsOfGrants(kinds: KindsByName, { grants = [] }: Pick<RoleUpdate, 'grants'>): void {
  for (const [place, { on }] of grants.entries())
    for (const [index, kind] of (on?.kinds ?? []).entries())
      requireKind(kinds, `grants.${place}.on.kinds.${index}`, kind);
}

/** @throws ApiError as {@link requireKindsOfGrants} */
export function requireKindsOfChecks(kinds: KindsByName, { checks }: CanRequest): void {
  for (const [index, { kind }] of checks.entries()) requireKind(kinds, `checks.${index}.kind`, kind);
}

function requireKind(kinds: KindsByName, field: string, name: string): void {
  const known = [...kinds.keys(), ...ownRights.keys()];
  if (!known.includes(name)) throw invalid(field, `must be one of ${known.join(', ')}`);
}
