import { collectFaults, invalid, invalidFields } from '../../../base/errors.ts';
import { hasSameOrigin } from '../../../base/origin.ts';
import type { Secrets } from '../../../base/secrets.ts';
import type { Change } from '../../../changes/changes.ts';
import { defineSettings } from '../../../db/settings.ts';
import type { Outgoing } from '../../../http/outgoing/client.ts';
import { everything } from '../../roles/grants.ts';
import { readGrants, requireCovered, requireRoles } from '../../roles/service.ts';
import { isLoopbackHost } from '../public-address.ts';
import { noOidc, type OidcSettings, type OidcUpdate, StoredOidc } from './model.ts';

/** What the client secret is encrypted for. */
export const secretPurpose = 'oidc';

const oidcSettings = defineSettings({ name: 'oidc', schema: StoredOidc, defaults: noOidc });

export const readOidc = oidcSettings.read;

/** Whether users can sign in with it. */
export function isOidcSetUp({ issuer, client_id }: StoredOidc): boolean {
  return issuer !== '' && client_id !== '';
}

export function presentOidc({ client_secret, ...settings }: StoredOidc): OidcSettings {
  return { ...settings, secret_set: client_secret !== '' };
}

/**
 * PUT /system/oidc: merges the settings. Another provider does not get the stored secret.
 *
 * @throws ApiError `common.invalid`, `auth.notAllowed` for groups that would get more than the caller has
 */
export async function updateOidc(
  change: Change,
  { client_secret: secret, groups, ...update }: OidcUpdate,
  {
    secrets,
    outgoing,
  }: { readonly secrets: Pick<Secrets, 'seal'>; readonly outgoing: Pick<Outgoing, 'faultOf'> },
): Promise<StoredOidc> {
  return oidcSettings.update(change.tx, async (before) => {
    const merged = { ...before, ...update };
    const settings = {
      ...merged,
      issuer: merged.issuer.trim(),
      groups: groups === undefined ? before.groups : toRoleLists(groups),
    };
    const faults = await collectFaults([() => checkIssuer(settings.issuer, outgoing)]);
    if (faults.length > 0) throw invalidFields(faults);
    if (groups !== undefined) await checkRoles(change, settings.groups);
    const isSame = before.issuer === '' || hasSameOrigin(before.issuer, settings.issuer);
    const kept = isSame ? before.client_secret : '';
    return { ...settings, client_secret: secret === undefined ? kept : sealSecret(secret, secrets) };
  });
}

function sealSecret(secret: string, secrets: Pick<Secrets, 'seal'>): string {
  return secret === '' ? '' : secrets.seal(secret, secretPurpose);
}

function toRoleLists(groups: NonNullable<OidcUpdate['groups']>): StoredOidc['groups'] {
  const lists = Object.entries(groups).map(([group, ids]) => [
    group,
    [...new Set(typeof ids === 'number' ? [ids] : ids)],
  ]);
  return Object.fromEntries(lists);
}

/** Nobody gives by groups what they do not have. */
async function checkRoles(change: Change, groups: StoredOidc['groups']): Promise<void> {
  const ids = [...new Set(Object.values(groups).flat())];
  await requireRoles(change.tx, ids);
  const grants = (await readGrants(change.tx, ids)) ?? everything;
  await requireCovered(change, grants, { kind: 'user', field: 'groups' });
}

function checkIssuer(issuer: string, outgoing: Pick<Outgoing, 'faultOf'>): void {
  if (issuer === '') return;
  const url = URL.parse(issuer);
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '')
    throw invalid('issuer', 'must be an address such as https://id.example.com, without a query');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(url.hostname)))
    throw invalid('issuer', 'must begin with https://, unless it is on this machine');
  const fault = outgoing.faultOf(issuer);
  if (fault !== undefined) throw invalid('issuer', `cannot be used: ${fault.reason}`);
}
