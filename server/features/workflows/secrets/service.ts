import { nextUpdatedAt } from '../../../base/clock.ts';
import { apiError, invalid } from '../../../base/errors.ts';
import type { Secrets } from '../../../base/secrets.ts';
import type { Change } from '../../../changes/changes.ts';
import { secretLimits, type WorkflowSecret } from './model.ts';
import * as store from './store.ts';
import { secretPurpose } from './values.ts';

/** Creates a secret or gives it another value. @throws ApiError `common.invalid` */
export async function putSecret(
  change: Change,
  name: string,
  value: string,
  secrets: Pick<Secrets, 'seal'>,
): Promise<store.StoredSecret> {
  if (!/^[A-Z][A-Z0-9_]{0,63}$/.test(name))
    throw invalid('name', 'must be 1 to 64 characters of A-Z, 0-9 and _, a letter first');
  const before = await store.findSecret(change.tx, name);
  if (before === undefined && (await store.listSecrets(change.tx)).length >= secretLimits.secrets)
    throw invalid('name', `is one too many: there are ${secretLimits.secrets} secrets already`);
  const updatedAt = nextUpdatedAt(change.now, before?.updated_at ?? 0);
  const secret = { name, value: secrets.seal(value, secretPurpose), updated_at: updatedAt };
  await store.saveSecret(change.tx, secret);
  return secret;
}

/** @throws ApiError `common.notFound` */
export async function deleteSecret(change: Change, name: string): Promise<void> {
  if (!(await store.deleteSecret(change.tx, name))) throw apiError('common.notFound', {});
}

/** What the API shows of a secret. */
export function presentSecret({ name, updated_at }: store.StoredSecret): WorkflowSecret {
  return { name, updated_at };
}
