/** The starters as websites of an instance without content. */
import { join } from 'node:path';
import Type from 'typebox';
import { defineRoute, type Route } from '../../api/route.ts';
import type { Actor } from '../../base/actor.ts';
import { apiError } from '../../base/errors.ts';
import type { Change } from '../../changes/changes.ts';
import { createObject } from '../../content/kinds/objects.ts';
import type { SharedServices } from '../../feature.ts';
import { runOperations } from '../batch/service.ts';
import { findStarter, starters } from '../folders/starters.ts';
import { type NewWebsite, readNewWebsite, stageNewWebsite } from '../folders/sync/new-website.ts';
import type { NewFile } from '../media/model.ts';
import { createSite } from '../pages/service.ts';
import { type InstallDeps, installIntoEmpty, listContent, type WebsiteTools } from './empty-instance.ts';

type StarterDeps = InstallDeps & Pick<SharedServices, 'registry'>;

const names = starters.map(({ name }) => name);

const Beginnings = Type.Object(
  {
    starters: Type.Array(Type.String(), { description: 'Names of the websites to begin with.' }),
    content: Type.Array(Type.String(), {
      description: 'Kinds of which there are objects. While there are any, no starter can be installed.',
    }),
  },
  { title: 'Beginnings', description: 'What an instance can begin with.' },
);

const InstalledStarter = Type.Object(
  { root_id: Type.Integer({ description: 'Home page of the website.' }) },
  { title: 'InstalledStarter', description: 'The website that was installed.' },
);

export function starterRoutes(parts: StarterDeps, tools: WebsiteTools): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/starters',
      access: 'admin',
      needs: 'settings',
      summary: 'List the websites to begin with, and the kinds of content that are there already',
      response: Beginnings,
      handle: async () => ({ starters: names, content: await listContent(parts, tools, parts.reader) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/starters/{name}',
      access: 'admin',
      needs: 'settings',
      summary: 'Install a website to begin with into an instance without content',
      params: Type.Object({ name: Type.String({ description: 'One of `GET /starters`.' }) }),
      response: InstalledStarter,
      status: 201,
      errors: ['demo.notEmpty', 'common.notFound', 'common.busy'],
      handle: async ({ actor, params: { name } }) => {
        const starter = findStarter(name);
        if (starter === undefined) throw apiError('common.notFound', {});
        const rootId = await installStarter(parts, tools, starter.folder, actor);
        if (rootId === undefined) throw apiError('demo.notEmpty', {});
        return { root_id: rootId };
      },
    }),
  ];
}

/** @returns ID of the home page; undefined if there is content already */
async function installStarter(
  parts: StarterDeps,
  tools: WebsiteTools,
  folder: string,
  actor: Actor,
): Promise<number | undefined> {
  const website = await readNewWebsite(folder);
  const files = website.files.map(({ key, name }) => ({ path: join(folder, key), name }));
  return installIntoEmpty(parts, tools, { actor, files }, async (change, stored) => {
    const { id: homeId } = await createSite(change, website.site);
    const fileIds = await createFiles(change, tools, website, stored);
    await stageNewWebsite(website, { homeId, fileIds }, (operations) =>
      runOperations(change, parts.registry.byName, operations),
    );
    return homeId;
  });
}

/** @returns IDs in the order of the files */
async function createFiles(
  change: Change,
  { media }: WebsiteTools,
  { files }: NewWebsite,
  stored: readonly NewFile[],
): Promise<number[]> {
  const ids: number[] = [];
  for (const [index, file] of stored.entries()) {
    const { alt = '', path = '' } = files[index] ?? {};
    ids.push((await createObject(change, media.kind, { ...file, alt, path })).id);
  }
  return ids;
}
