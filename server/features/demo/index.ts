import Type from 'typebox';
import { defineRoute } from '../../api/route.ts';
import { apiError } from '../../base/errors.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import type { AdminGate } from '../auth/admin-gate.ts';
import { listUsers } from '../auth/factors/users-with-factors.ts';
import { generatePassword, type Passwords } from '../auth/password.ts';
import { createUser, isSetupRequired } from '../auth/users/users.ts';
import type { WebsiteTools } from './empty-instance.ts';
import { moveSources } from './sources.ts';
import { starterRoutes } from './starters.ts';
import { type DemoParts, installWebsite, readContent } from './website.ts';

/** Name of the administrator that comes with the demo website. */
export const demoUsername = 'demo';

/** What `-demo` did. */
export interface DemoResult {
  /** False if the data directory had content already. */
  readonly installed: boolean;
  /** REST sources of an earlier installation that ask this server, which has another address now. */
  readonly movedSources: number;
  /** Password of the administrator that was created; undefined if none was. It is stored only as a hash. */
  readonly password: string | undefined;
  /** Name of an administrator who was there already; undefined if nobody can sign in, or there is a new password. */
  readonly signInAs: string | undefined;
}

interface DemoTools extends WebsiteTools {
  readonly gate: AdminGate;
  readonly passwords: Passwords;
}

/**
 * Installs the demo website (`-demo`) into an empty data directory. Also creates an administrator if users
 * can sign in and there is none. Of a website that is there already, only the address at which its own REST sources
 * ask this server is changed.
 *
 * @param origin address at which this server can be reached, without a slash at the end
 */
export async function installDemo(
  parts: DemoParts,
  { gate, passwords, ...tools }: DemoTools,
  origin: string,
): Promise<DemoResult> {
  const { reader, changes, log } = parts;
  if ((await installWebsite(parts, tools, origin, { kind: 'none' })) === undefined) {
    const movedSources = await changes.change({ kind: 'none' }, (change) =>
      moveSources(change, parts.outgoing, readContent().sources, origin),
    );
    const signInAs = gate.isOpen ? await findAdministrator(reader) : undefined;
    return { installed: false, movedSources, password: undefined, signInAs };
  }
  log.info({}, 'the demo website is installed');
  const result = { installed: true, movedSources: 0, password: undefined, signInAs: undefined };
  if (!gate.isOpen) return result;
  if (!(await isSetupRequired(reader))) return { ...result, signInAs: await findAdministrator(reader) };
  const password = generatePassword();
  // A random password needs no estimate.
  const passwordRules = { check: async () => {} };
  await createUser(
    { changes, passwords, passwordRules },
    { kind: 'none' },
    { username: demoUsername, password },
  );
  return { ...result, password };
}

/** The administrator of the demo if there is one, else the first one. */
async function findAdministrator(db: ContentDb): Promise<string | undefined> {
  const users = await listUsers(db);
  return (users.find(({ username }) => username === demoUsername) ?? users[0])?.username;
}

/** Installation of the demo website and of starters through the API, for people who start without content. */
export function demoFeature(
  parts: DemoParts & Pick<SharedServices, 'registry'>,
  tools: WebsiteTools,
): Feature {
  return {
    about: { demo: 'The demo website.', starters: 'Websites to begin with.' },
    routes: [
      defineRoute({
        method: 'POST',
        path: '/demo',
        access: 'admin',
        needs: 'settings',
        summary: 'Install the demo website into an instance without content',
        response: InstalledDemo,
        status: 201,
        errors: ['demo.notEmpty', 'common.busy'],
        handle: async ({ actor, scheme, host }) => {
          const rootId = await installWebsite(parts, tools, `${scheme}://${host}`, actor);
          if (rootId === undefined) throw apiError('demo.notEmpty', {});
          return { root_id: rootId };
        },
      }),
      ...starterRoutes(parts, tools),
    ],
  };
}

const InstalledDemo = Type.Object(
  { root_id: Type.Integer({ description: 'Home page of the demo website.' }) },
  { title: 'InstalledDemo', description: 'The demo website that was installed.' },
);
