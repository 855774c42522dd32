import type { Configuration, CustomFetch } from 'openid-client';
import { apiError } from '../../../base/errors.ts';
import type { Secrets } from '../../../base/secrets.ts';
import { readBytes } from '../../../http/outgoing/answer.ts';
import type { Outgoing } from '../../../http/outgoing/client.ts';
import type { StoredOidc } from './model.ts';
import { secretPurpose } from './settings.ts';

const maxAnswerBytes = 1_000_000;
const timeoutSeconds = 15;

/** What a provider says about somebody. */
export interface Identity {
  readonly iss: string;
  readonly sub: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** What must be the same at the start and at the end of a login. */
export interface LoginChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

interface ProviderDeps {
  readonly outgoing: Pick<Outgoing, 'send'>;
  readonly secrets: Pick<Secrets, 'open'>;
}

/** The provider of the settings. All requests to it go through the guarded client. */
export class OidcProvider {
  readonly #settings: StoredOidc;
  readonly #deps: ProviderDeps;
  #configuration: Promise<Configuration> | undefined;

  constructor(settings: StoredOidc, deps: ProviderDeps) {
    this.#settings = settings;
    this.#deps = deps;
  }

  /** The address to which a browser is sent. @throws ApiError 502 `auth.oidcFailed` */
  async buildStart(redirectUri: string): Promise<{ readonly url: URL; readonly checks: LoginChecks }> {
    const client = await loadClient();
    const configuration = await this.#discover();
    const checks = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
      state: checks.state,
      nonce: checks.nonce,
    });
    return { url, checks };
  }

  /** Who has signed in. @param current address of the callback, with its query @throws ApiError 502 `auth.oidcFailed` */
  async identify(current: URL, { state, nonce, verifier }: LoginChecks): Promise<Identity> {
    const client = await loadClient();
    const configuration = await this.#discover();
    return failing(async () => {
      const tokens = await client.authorizationCodeGrant(configuration, current, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('it sent no ID token');
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasUserInfo
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : {};
      return { iss: claims.iss, sub: claims.sub, claims: { ...more, ...claims } };
    });
  }

  /** Asked once; a failure is asked again. */
  async #discover(): Promise<Configuration> {
    this.#configuration ??= this.#load();
    try {
      return await this.#configuration;
    } catch (error) {
      this.#configuration = undefined;
      throw error;
    }
  }

  async #load(): Promise<Configuration> {
    const { issuer, client_id, client_secret } = this.#settings;
    const secret = client_secret === '' ? undefined : this.#deps.secrets.open(client_secret, secretPurpose);
    const client = await loadClient();
    const isPlain = issuer.startsWith('http:');
    return failing(() =>
      client.discovery(new URL(issuer), client_id, secret, secret === undefined ? client.None() : undefined, {
        [client.customFetch]: this.#fetch,
        timeout: timeoutSeconds,
        // The settings take such an issuer on loopback only.
        ...(isPlain ? { execute: [client.allowInsecureRequests] } : {}),
      }),
    );
  }

  readonly #fetch: CustomFetch = async (url, { method, headers, body, signal }) => {
    const answer = await this.#deps.outgoing.send({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers: { ...headers },
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      ...(signal === undefined ? {} : { signal }),
      // The provider names further addresses; a public one must not lead inside.
      foundOn: this.#settings.issuer,
    });
    const { bytes } = await readBytes(answer, maxAnswerBytes);
    const type = answer.headers.get('content-type') ?? 'application/json';
    return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), {
      status: answer.status,
      headers: { 'Content-Type': type },
    });
  };
}

/** Loaded with the first login, to keep the start of the server short. */
function loadClient(): Promise<typeof import('openid-client')> {
  return import('openid-client');
}

async function failing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    const text = error instanceof Error ? `${error.message}${cause}` : String(error);
    throw apiError('auth.oidcFailed', { error: text.slice(0, 300) });
  }
}
