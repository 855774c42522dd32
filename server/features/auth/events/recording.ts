import { Reply } from '../../../api/reply.ts';
import type { Input, Route } from '../../../api/route.ts';
import { formatAuthor } from '../../../base/actor.ts';
import { ApiError, type ErrorCode } from '../../../base/errors.ts';
import type { Lockout } from '../lockout.ts';
import { findFailedUser, toUserKey } from '../second-step.ts';
import type { AuthEvents } from './auth-events.ts';
import { type AuthEventName, findEventOfRoute } from './names.ts';

/** Errors of somebody who could not show who they are. */
const failures: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['auth.invalidCredentials']);

interface RecordingDeps {
  readonly events: Pick<AuthEvents, 'record'>;
  readonly lockout: Pick<Lockout, 'takeLock'>;
  readonly userLockout: Pick<Lockout, 'takeLock'>;
  /** The name of a user; empty if there is none. */
  findName(userId: number): Promise<string>;
}

/** The routes, of which those that change somebody's access record it. */
export function recordEvents(routes: readonly Route[], deps: RecordingDeps): Route[] {
  return routes.map((route) => {
    const event = findEventOfRoute(route.method, route.path);
    const { handle } = route;
    if (event === undefined || handle === undefined) return route;
    return {
      ...route,
      handle: (input) => runRecorded(route, event, () => handle.call(route, input), input, deps),
    };
  });
}

type AnyInput = Input<unknown, unknown, unknown>;

async function runRecorded(
  route: Route,
  event: AuthEventName,
  run: () => unknown,
  input: AnyInput,
  deps: RecordingDeps,
): Promise<unknown> {
  const { client, agent, actor } = input;
  const place = { address: client.address, agent };
  try {
    const result = await run();
    const user =
      actor.kind === 'none'
        ? (findUsername(result) ?? findText(input.body, 'username'))
        : formatAuthor(actor);
    await deps.events.record({ ...place, event, user, detail: formatDetail(route, input) });
    return result;
  } catch (error) {
    if (error instanceof ApiError && failures.has(error.code))
      await recordFailure(route.path, input, error, deps);
    throw error;
  }
}

/** Records who failed, and the locks that this made: one of the address, one of the second step of the user. */
async function recordFailure(
  path: string,
  { client, agent, actor, body }: AnyInput,
  error: ApiError,
  { events, lockout, userLockout, findName }: RecordingDeps,
): Promise<void> {
  const userId = findFailedUser(error);
  const tried = actor.kind === 'session' ? actor.name : findText(body, 'username').trim();
  const user = userId === undefined ? tried : await findName(userId);
  const place = { address: client.address, agent, user };
  await events.record({ ...place, event: 'auth.failure', detail: path });
  if (lockout.takeLock(client.key)) await events.record({ ...place, event: 'auth.lock', detail: path });
  if (userId !== undefined && userLockout.takeLock(toUserKey(userId)))
    await events.record({ ...place, event: 'auth.lock', detail: `second step of ${user}` });
}

/** What was done with what, such as `deleted user 7` or `created token "deploy"`. */
function formatDetail({ method, path }: Route, { params, body }: AnyInput): string {
  const kind = /^\/(user|token|role)s/.exec(path)?.[1];
  if (kind === undefined) return path;
  const part = /^\/\w+\/\{id\}\/(\w+)$/.exec(path)?.[1];
  const id = findText(params, 'id');
  const name = findText(body, 'name') || findText(body, 'username');
  const object = [kind, id, name === '' ? '' : JSON.stringify(name)].filter((text) => text !== '').join(' ');
  return `${verbs[method] ?? method} ${part === undefined ? object : `${part} of ${object}`}`;
}

const verbs: Readonly<Record<string, string>> = { POST: 'created', PUT: 'changed', DELETE: 'deleted' };

/** The name in an answer with the user who has just signed in. */
function findUsername(result: unknown): string | undefined {
  const sent = result instanceof Reply && typeof result.body === 'string' ? parse(result.body) : result;
  const username = findText(Object(sent).user, 'username');
  return username === '' ? undefined : username;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function findText(value: unknown, name: string): string {
  const found: unknown = Object(value)[name];
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
}
