import { isIPv6 } from 'node:net';
import { collectFaults, invalid, invalidFields } from '../../base/errors.ts';
import { requireConfirmed } from '../../base/refusals/confirmation.ts';
import type { Secrets } from '../../base/secrets.ts';
import type { Change } from '../../changes/changes.ts';
import { defineSettings } from '../../db/settings.ts';
import type { Outgoing } from '../../http/outgoing/client.ts';
import { checkLine, parseAddresses } from './addresses.ts';
import { type MailSettings, type MailUpdate, noMail, StoredMail } from './model.ts';

/** What the password is encrypted for. */
export const passwordPurpose = 'mail';

const mailSettings = defineSettings({ name: 'mail', schema: StoredMail, defaults: noMail });

/** The stored settings; without any, those that send no mail. */
export const readMail = mailSettings.read;

/** What the API shows of the settings. */
export function presentMail({ password, ...settings }: StoredMail): MailSettings {
  return { ...settings, has_password: password !== '' };
}

/** PUT /system/mail: merges the settings. Another server does not get the stored password. @throws ApiError `common.invalid` with all faulty fields */
export async function updateMail(
  change: Change,
  { password, ...update }: MailUpdate,
  { secrets, outgoing }: { readonly secrets: Secrets; readonly outgoing: Pick<Outgoing, 'faultOf'> },
): Promise<StoredMail> {
  return mailSettings.update(change.tx, async (before) => {
    const merged = { ...before, ...update };
    const settings = {
      ...merged,
      host: merged.host.trim(),
      user: merged.user.trim(),
      from: merged.from.trim(),
      password: password === undefined ? keptPassword(before, merged) : sealed(password, secrets),
    };
    const faults = await collectFaults([
      () => checkHost(settings, outgoing),
      () => checkLine(settings.user, 'user'),
      () => checkSender(settings.from),
      () => checkLine(password ?? '', 'password'),
    ]);
    if (faults.length > 0) throw invalidFields(faults);
    if (before.password !== '' && !isSameServer(before, settings)) requireConfirmed(change.actor, change.now);
    return settings;
  });
}

/** The stored password, as long as it goes to the server that it was entered for. */
function keptPassword(before: StoredMail, after: Pick<StoredMail, 'host' | 'port'>): string {
  return before.host === '' || isSameServer(before, after) ? before.password : '';
}

function isSameServer(before: StoredMail, { host, port }: Pick<StoredMail, 'host' | 'port'>): boolean {
  return before.host.toLowerCase() === host.trim().toLowerCase() && before.port === port;
}

function sealed(password: string, secrets: Secrets): string {
  return password === '' ? '' : secrets.seal(password, passwordPurpose);
}

function checkHost({ host, port }: StoredMail, outgoing: Pick<Outgoing, 'faultOf'>): void {
  if (host === '') return;
  if (!/^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i.test(host) && !isIPv6(host))
    throw invalid('host', 'must be a name such as smtp.example.com or an address, without a port');
  const fault = outgoing.faultOf(`http://${isIPv6(host) ? `[${host}]` : host}:${port}`);
  if (fault !== undefined) throw invalid('host', `cannot be used: ${fault.reason}`);
}

function checkSender(from: string): void {
  if (from !== '' && parseAddresses(from, 'from', 1).length !== 1)
    throw invalid('from', 'must be an address such as shop@example.com');
}
