import { type ApiAnswer, asRecord, call } from './api.ts';
import { idOf } from './content.ts';
import type { DescribedServer } from './contract.ts';
import { logIn, withSession } from './session.ts';

/** A password that every rule of passwords takes. */
export const password = 'quartz lantern 58 umbrella';

let count = 0;

/** A name that no other user, role or token of a server has. */
export function freshName(word: string): string {
  count += 1;
  return `${word}-${process.pid}-${Date.now().toString(36)}-${count}`;
}

/** A user with a session. */
export interface Person {
  readonly id: number;
  readonly username: string;
  readonly session: string;
  ask(method: string, path: string, body?: unknown): Promise<ApiAnswer>;
}

/** Creates a user with roles, and logs in. @param admin session that may create users */
export async function addPerson(
  server: DescribedServer,
  admin: string,
  roleIds: readonly number[],
): Promise<Person> {
  const username = freshName('person');
  const body = { username, password, role_ids: roleIds };
  const created = await call(server, 'POST', '/users', withSession(admin, body));
  if (created.status !== 201) throw new Error(`POST /users: ${JSON.stringify(created.body)}`);
  const session = await logIn(server, { username, password });
  return {
    id: idOf(asRecord(created.body)),
    username,
    session,
    ask: (method, path, sent) => call(server, method, path, withSession(session, sent)),
  };
}

/** Creates a role and answers with its ID. */
export async function addRole(
  server: DescribedServer,
  admin: string,
  grants: readonly { readonly actions: readonly string[]; readonly on?: object }[],
): Promise<number> {
  const answer = await call(
    server,
    'POST',
    '/roles',
    withSession(admin, { name: freshName('role'), grants }),
  );
  if (answer.status !== 201) throw new Error(`POST /roles: ${JSON.stringify(answer.body)}`);
  return idOf(asRecord(answer.body));
}

/** Creates a token and answers with its secret and ID. */
export async function addTokenOf(
  server: DescribedServer,
  session: string,
  body: object,
): Promise<{ readonly id: number; readonly secret: string }> {
  const answer = await call(
    server,
    'POST',
    '/tokens',
    withSession(session, { name: freshName('token'), ...body }),
  );
  if (answer.status !== 201) throw new Error(`POST /tokens: ${JSON.stringify(answer.body)}`);
  const { token, secret } = asRecord(answer.body);
  return { id: idOf(asRecord(token)), secret: String(secret) };
}
