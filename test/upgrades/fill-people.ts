/** Roles, people with second factors and invitations, tokens of roles, OpenID Connect. */
import { call } from '../support/api.ts';
import { totpCode } from '../support/one-time-codes.ts';
import { logIn } from '../support/session.ts';
import { Admin, type Fields, nobody } from './admin.ts';

const password = 'quartz lantern 58 umbrella';

/** @param home root page of a website */
export async function addPeople(admin: Admin, home: number): Promise<void> {
  const role = await admin.create('/roles', {
    name: 'Editors of one website',
    description: 'Words, not code',
    grants: [
      { actions: ['read', 'edit', 'publish'], on: { sites: [home] } },
      { actions: ['read'], on: { collections: ['things'], languages: ['en', 'de'] } },
      { actions: ['run'], on: { kinds: ['workflow'] } },
    ],
  });
  const strict = await admin.create('/roles', {
    name: 'With a second factor',
    require_factor: true,
    grants: [{ actions: ['read', 'users'], on: {} }],
  });
  const person = (fields: Fields) => admin.create('/users', { password, ...fields });
  await person({ username: 'hedy', name: 'Hedy ä', email: 'hedy@odd.test', role_ids: [role] });
  await person({ username: 'mary', role_ids: [], must_change_password: true });
  await person({ username: 'joan', role_ids: [strict, role] });
  const invited = await admin.create('/users', {
    username: 'emmy',
    email: 'emmy@odd.test',
    role_ids: [role],
  });
  await admin.put('/system', { public_url: 'https://odd.test', idle_minutes: 0 });
  await admin.post(`/users/${invited}/invitation`);
  await admin.post('/tokens', { name: 'of a role', role_ids: [role], expires_at: 4_000_000_000 });
  await admin.put('/system/oidc', {
    issuer: `${nobody}/`,
    client_id: 'odd',
    client_secret: 'of the client',
    groups_claim: 'groups',
    groups: { writers: [role] },
    create_users: true,
  });
  await addFactor(admin);
}

/** A one-time code and recovery codes, set up by their owner. */
async function addFactor(admin: Admin): Promise<void> {
  const { server } = admin;
  const joan = new Admin(server, await logIn(server, { username: 'joan', password }));
  const { secret } = await joan.post('/auth/factors/totp');
  await joan.post('/auth/factors/totp/verify', { code: totpCode(String(secret), Date.now()) });
  const wrong = { username: 'joan', password: `${password}x` };
  const { status } = await call(server, 'POST', '/auth/login', { token: null, body: wrong });
  if (status !== 401) throw new Error('a wrong password was taken');
}
