import { type Clock, unixSeconds } from '../../../base/clock.ts';
import { apiError } from '../../../base/errors.ts';
import type { Secrets } from '../../../base/secrets.ts';
import type { Change, Changes } from '../../../changes/changes.ts';
import type { ContentDb } from '../../../db/tables.ts';
import { createChallenge, readChallenge, spendChallenge } from './challenges.ts';
import { requireRoom } from './limit.ts';
import type { PasskeyAnswer, PasskeyRegistration } from './model.ts';
import * as store from './store.ts';

export interface PasskeyDeps {
  readonly reader: ContentDb;
  readonly changes: Changes;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

/** Loaded with the first passkey, because it takes a part of the start of the server. */
const webAuthn = () => import('@simplewebauthn/server');

/** A key that has signed a challenge, before this is noted. */
export interface UsedPasskey {
  readonly factor: store.StoredFactor;
  readonly counter: number;
  readonly challenge: string;
  readonly expiresAt: number;
}

/** POST /auth/factors/passkeys/options. @param origin of this instance; its host is the `rpId` */
export async function createRegistrationOptions(
  { reader, secrets, clock }: PasskeyDeps,
  origin: URL,
  user: { readonly userId: number; readonly name: string },
) {
  const { generateRegistrationOptions } = await webAuthn();
  const existing = await store.listFactors(reader, user.userId);
  return generateRegistrationOptions({
    rpName: 'Incipit',
    rpID: origin.hostname,
    userName: user.name,
    userDisplayName: user.name,
    userID: new TextEncoder().encode(`user ${user.userId}`),
    challenge: createChallenge(secrets, registration(user.userId), unixSeconds(clock)),
    timeout: 300_000,
    excludeCredentials: existing.flatMap(({ credential_id: id }) => (id === null ? [] : [{ id }])),
    // The key alone must be enough to sign in: it knows the user, and checks that it is them.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** POST /auth/factors/passkeys: stores a new key. @throws ApiError 400 `auth.passkeyInvalid`, `auth.tooManyFactors` */
export async function registerPasskey(
  { changes, secrets, clock }: PasskeyDeps,
  origin: URL,
  change: Pick<Change, 'actor'> & { readonly userId: number },
  { name = '', ...sent }: PasskeyRegistration,
): Promise<store.StoredFactor> {
  const { userId } = change;
  const { verifyRegistrationResponse } = await webAuthn();
  const seen = new SeenChallenge(secrets, registration(userId), unixSeconds(clock));
  const verified = await verifyRegistrationResponse({
    // Type boundary: the schema has checked what the package reads.
    response: { clientExtensionResults: {}, ...sent } as never,
    expectedChallenge: seen.check,
    expectedOrigin: origin.origin,
    expectedRPID: origin.hostname,
    requireUserVerification: true,
  }).catch(() => undefined);
  if (verified?.verified !== true) throw apiError('auth.passkeyInvalid', {});
  const { credential } = verified.registrationInfo;
  return changes.changeUnversioned(change.actor, async ({ tx, now }) => {
    const isFresh = await spendChallenge(tx, seen.challenge, { now, expiresAt: seen.expiresAt });
    await requireRoom(tx, userId);
    if (!isFresh || (await store.findPasskey(tx, credential.id)) !== undefined)
      throw apiError('auth.passkeyInvalid', {});
    const factor = {
      user_id: userId,
      kind: 'passkey' as const,
      name: name.trim() === '' ? 'Passkey' : name.trim(),
      created_at: now,
      last_used_at: null,
      is_active: 1,
      secret: '',
      last_step: 0,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: JSON.stringify(credential.transports ?? []),
    };
    return { id: await store.insertFactor(tx, factor), ...factor };
  });
}

/** POST /auth/passkeys/options: every key of this instance may answer. */
export async function createSignInOptions({ secrets, clock }: PasskeyDeps, origin: URL) {
  const { generateAuthenticationOptions } = await webAuthn();
  return generateAuthenticationOptions({
    rpID: origin.hostname,
    challenge: createChallenge(secrets, signIn, unixSeconds(clock)),
    timeout: 300_000,
    userVerification: 'required',
  });
}

/** The key that has signed an answer; undefined if the answer is wrong. It counts when `spendPasskey` has noted it. */
export async function verifyPasskey(
  { reader, secrets, clock }: PasskeyDeps,
  origin: URL,
  sent: PasskeyAnswer,
): Promise<UsedPasskey | undefined> {
  const factor = await store.findPasskey(reader, sent.id);
  if (factor === undefined) return undefined;
  const { verifyAuthenticationResponse } = await webAuthn();
  const seen = new SeenChallenge(secrets, signIn, unixSeconds(clock));
  const verified = await verifyAuthenticationResponse({
    // Type boundary: the schema has checked what the package reads.
    response: { clientExtensionResults: {}, ...sent } as never,
    expectedChallenge: seen.check,
    expectedOrigin: origin.origin,
    expectedRPID: origin.hostname,
    requireUserVerification: true,
    credential: {
      id: sent.id,
      publicKey: Uint8Array.from(Buffer.from(factor.public_key, 'base64url')),
      counter: factor.counter,
    },
  }).catch(() => undefined);
  if (verified?.verified !== true) return undefined;
  const counter = verified.authenticationInfo.newCounter;
  return { factor, counter, challenge: seen.challenge, expiresAt: seen.expiresAt };
}

/** Notes the use of a key in the change; false if its answer was used before or the key is gone. */
export async function spendPasskey(
  { tx, now }: Change,
  { factor, counter, challenge, expiresAt }: UsedPasskey,
): Promise<boolean> {
  if (!(await spendChallenge(tx, challenge, { now, expiresAt }))) return false;
  return (await store.savePasskeyUse(tx, factor.id, counter, now)) > 0;
}

const signIn = 'sign-in';

function registration(userId: number): string {
  return `registration ${userId}`;
}

/** Remembers the challenge of an answer while it is checked. */
class SeenChallenge {
  challenge = '';
  expiresAt = 0;
  readonly check: (sent: string) => boolean;

  constructor(secrets: Secrets, purpose: string, now: number) {
    this.check = (sent) => {
      this.challenge = Buffer.from(sent, 'base64url').toString();
      const expiresAt = readChallenge(secrets, this.challenge, { purpose, now });
      this.expiresAt = expiresAt ?? 0;
      return expiresAt !== undefined;
    };
  }
}
