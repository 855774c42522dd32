import { Reply } from '../../../api/reply.ts';
import { defineRoute, type Input, type Route } from '../../../api/route.ts';
import { type Clock, unixSeconds } from '../../../base/clock.ts';
import { apiError } from '../../../base/errors.ts';
import type { SharedServices } from '../../../feature.ts';
import { type IsSecure, sessionCookie } from '../cookie.ts';
import { SignedIn } from '../model.ts';
import { requirePublicOrigin } from '../public-address.ts';
import { endedPendingCookie, pendingCookie, readPendingLogin } from './login-cookie.ts';
import { OidcCallbackQuery, OidcSettings, OidcStart, OidcUpdate, type StoredOidc } from './model.ts';
import { OidcProvider } from './oidc-provider.ts';
import { signInIdentity } from './service.ts';
import { isOidcSetUp, presentOidc, readOidc, updateOidc } from './settings.ts';

export interface OidcDeps extends Pick<SharedServices, 'reader' | 'changes' | 'secrets' | 'outgoing'> {
  readonly clock: Clock;
  readonly isSecure: IsSecure;
}

const callbackPath = '/api/v1/auth/oidc/callback';

/** Signing in with OpenID Connect. */
export function oidcRoutes(deps: OidcDeps): Route[] {
  const { reader, changes } = deps;
  const logins = new OidcLogins(deps);
  return [
    defineRoute({
      method: 'GET',
      path: '/system/oidc',
      access: 'write',
      needs: 'settings',
      summary: 'The provider of OpenID Connect',
      response: OidcSettings,
      handle: async () => presentOidc(await readOidc(reader)),
    }),
    defineRoute({
      method: 'PUT',
      path: '/system/oidc',
      access: 'write',
      needs: 'settings',
      isSensitive: true,
      summary: 'Change the provider of OpenID Connect',
      body: OidcUpdate,
      response: OidcSettings,
      errors: ['auth.notAllowed', 'common.busy'],
      handle: ({ actor, body }) =>
        changes.changeUnversioned(actor, async (change) => presentOidc(await updateOidc(change, body, deps))),
    }),
    defineRoute({
      method: 'GET',
      path: '/auth/oidc/start',
      access: 'public',
      needs: 'nothing',
      summary: 'Send the browser to the provider of OpenID Connect; 404 if none is set up',
      response: OidcStart,
      status: 302,
      errors: ['auth.publicUrlMissing', 'auth.oidcFailed', 'common.notFound', 'storage.secretUndecryptable'],
      handle: (input) => logins.start(input),
    }),
    defineRoute({
      method: 'GET',
      path: '/auth/oidc/callback',
      access: 'public',
      needs: 'nothing',
      summary: 'Where the provider sends the browser back; signs in and leads to the admin',
      query: OidcCallbackQuery,
      response: SignedIn,
      status: 302,
      errors: [
        ...(['auth.oidcFailed', 'auth.oidcUnknown', 'auth.oidcEmailUnverified', 'auth.oidcState'] as const),
        ...(['auth.lastAdministrator', 'common.busy', 'common.notFound'] as const),
        'storage.secretUndecryptable',
      ],
      handle: (input) => logins.finish(input),
    }),
  ];
}

type LoginInput = Pick<
  Input<unknown, unknown, unknown>,
  'actor' | 'client' | 'agent' | 'host' | 'scheme' | 'cookie' | 'rawQuery'
>;

/** Logins at the provider, whose description is asked for once as long as the settings stay. */
class OidcLogins {
  readonly #deps: OidcDeps;
  #cached: { readonly key: string; readonly provider: OidcProvider } | undefined;

  constructor(deps: OidcDeps) {
    this.#deps = deps;
  }

  async start({ host, scheme }: LoginInput): Promise<Reply> {
    const { reader, clock, secrets, isSecure } = this.#deps;
    const settings = await this.#requireSettings();
    const origin = await requirePublicOrigin(reader, { host, scheme });
    const redirectUri = `${origin.origin}${callbackPath}`;
    const { url, checks } = await this.#providerOf(settings).buildStart(redirectUri);
    const login = { ...checks, redirectUri, issuer: settings.issuer };
    const cookie = pendingCookie(login, { now: unixSeconds(clock), secrets, isSecure: isSecure(scheme) });
    return Reply.json({ url: url.href }, { status: 302, headers: [['Location', url.href], noStore, cookie] });
  }

  async finish({ actor, client, agent, scheme, cookie, rawQuery }: LoginInput): Promise<Reply> {
    const { changes, clock, secrets, isSecure } = this.#deps;
    const settings = await this.#requireSettings();
    const login = readPendingLogin(cookie, { now: unixSeconds(clock), secrets });
    if (login === undefined || login.issuer !== settings.issuer) throw apiError('auth.oidcState', {});
    const provider = this.#providerOf(settings);
    const identity = await provider.identify(new URL(`${login.redirectUri}?${rawQuery}`), login);
    const place = { address: client.address, agent };
    const { user, session } = await changes.changeUnversioned(actor, (change) =>
      signInIdentity(change, actor, place, identity, settings),
    );
    const secure = isSecure(scheme);
    const headers = [
      ['Location', '/cms-admin/'],
      noStore,
      sessionCookie(session, secure),
      endedPendingCookie(secure),
    ] as const;
    return Reply.json({ user }, { status: 302, headers });
  }

  async #requireSettings(): Promise<StoredOidc> {
    const settings = await readOidc(this.#deps.reader);
    if (!isOidcSetUp(settings)) throw apiError('common.notFound', {});
    return settings;
  }

  #providerOf(settings: StoredOidc): OidcProvider {
    const key = JSON.stringify(settings);
    if (this.#cached?.key !== key) this.#cached = { key, provider: new OidcProvider(settings, this.#deps) };
    return this.#cached.provider;
  }
}

const noStore = ['Cache-Control', 'no-store'] as const;
