/** Websites that an instance without content gets as a whole. */
import type { Actor } from '../../base/actor.ts';
import type { Change } from '../../changes/changes.ts';
import { hasObjects } from '../../content/kinds/objects.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { SharedServices } from '../../feature.ts';
import { assetKind } from '../assets/service.ts';
import type { MediaFeature } from '../media/index.ts';
import type { NewFile } from '../media/model.ts';
import { pageKind } from '../pages/kind.ts';
import { snippetKind } from '../snippets/service.ts';
import type { WorkflowKind } from '../workflows/kind.ts';
import type { CollectionKinds } from './collections.ts';

/** What installs the content of a website. */
export interface WebsiteTools {
  readonly media: Pick<MediaFeature, 'kind' | 'uploads'>;
  readonly collections: CollectionKinds;
  readonly workflows: WorkflowKind;
}

export type InstallDeps = Pick<SharedServices, 'reader' | 'changes' | 'texts'>;

/** Names of the kinds of which there are objects. */
export async function listContent(
  { texts }: Pick<InstallDeps, 'texts'>,
  { media, collections: { collections }, workflows }: WebsiteTools,
  db: ContentDb,
): Promise<string[]> {
  const names: string[] = [];
  for (const kind of [pageKind(texts), snippetKind, assetKind, media.kind, collections, workflows])
    if (await hasObjects(kind, db)) names.push(kind.name);
  return names;
}

/**
 * Installs a website by the same rules as API clients and as one change, so that it exists completely or not at all.
 *
 * @param files of this machine
 * @param fill makes all objects, with the stored files in their order; returns the ID of the home page
 * @returns the same ID; undefined if there is content already, and nothing was changed
 */
export async function installIntoEmpty(
  parts: InstallDeps,
  tools: WebsiteTools,
  { actor, files }: { readonly actor: Actor; readonly files: readonly { path: string; name: string }[] },
  fill: (change: Change, files: readonly NewFile[]) => Promise<number>,
): Promise<number | undefined> {
  const hasContent = async (db: ContentDb) => (await listContent(parts, tools, db)).length > 0;
  if (await hasContent(parts.reader)) return undefined;
  return tools.media.uploads.storeLocal(files, (stored) =>
    parts.changes.change(actor, async (change) =>
      (await hasContent(change.tx)) ? undefined : fill(change, stored),
    ),
  );
}
