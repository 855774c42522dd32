import { type ApiError, apiError, type MissingRight } from '../errors.ts';
import { type Action, allows, type Grants, type Placement } from '../rights.ts';

/** What somebody lacks to do something; see {@link notAllowed}. */
export type Lacking = Omit<MissingRight, 'needs'>;

/** The error for a caller whose roles do not give a right. It says which right, on what, and who can give it. */
export function notAllowed({ action, kind, id, field, use }: Lacking): ApiError {
  const needs = `the right "${action}"${formatObject(kind, id)}${formatField(field)}, which an administrator can give`;
  // Parts that are unknown are left out of the answer.
  const known = Object.entries({ kind, id, field, use }).filter(([, value]) => value !== undefined);
  return apiError('auth.notAllowed', { action, ...Object.fromEntries(known), needs });
}

/** The error for a user whose role demands a second factor, before one is set up. */
export function factorNeeded(): ApiError {
  return apiError('auth.notAllowed', {
    action: 'read',
    needs: 'a second factor, which a role demands: set one up with POST /auth/factors/totp or a passkey',
  });
}

/** @throws ApiError 403 `auth.notAllowed` unless the grants allow the action; undefined allows everything */
export function requireRight(
  grants: Grants | undefined,
  action: Action,
  placement?: Placement,
  lacking: Omit<Lacking, 'action'> = {},
): void {
  if (grants === undefined || allows(grants, action, placement)) return;
  throw notAllowed({ action, kind: placement?.kind, id: placement?.id, ...lacking });
}

function formatObject(kind: string | undefined, id: number | undefined): string {
  if (kind === undefined) return '';
  return id === undefined ? ` on objects of the kind "${kind}"` : ` on ${kind} ${id}`;
}

function formatField(field: string | undefined): string {
  return field === undefined ? '' : ` for the field "${field}"`;
}
