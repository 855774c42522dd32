import { api, requireData } from '../client.ts';
import type { PasskeyAnswer, PasskeyRegistration } from '../generated/schema.ts';

/** Whether this browser knows passkeys; over plain HTTP only on this machine itself. */
export const hasPasskeys = 'PublicKeyCredential' in window;

/** Loaded when it is needed. */
const webAuthn = () => import('@simplewebauthn/browser');

/** Lets a key sign that the user is there. @throws ApiFailure, or what the browser says if the user does not want to */
export async function signWithPasskey(): Promise<PasskeyAnswer> {
  const options = await requireData(api.POST('/auth/passkeys/options'));
  const { startAuthentication } = await webAuthn();
  // Type boundary: the server speaks the JSON of the same package.
  return (await startAuthentication({ optionsJSON: options as never })) as PasskeyAnswer;
}

/** Makes a new key. @throws as {@link signWithPasskey} */
export async function createPasskey(): Promise<PasskeyRegistration> {
  const options = await requireData(api.POST('/auth/factors/passkeys/options'));
  const { startRegistration } = await webAuthn();
  // Type boundary: the server speaks the JSON of the same package.
  return (await startRegistration({ optionsJSON: options as never })) as PasskeyRegistration;
}
