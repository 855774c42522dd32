/** Takes over CSS and JS of the original as assets (Data, "Website import", rules 5 and 6). */
import { createHash } from 'node:crypto';
import { fieldLimits } from '../../../content/common-fields.ts';
import { createObject, updateObject } from '../../../content/kinds/objects.ts';
import { assetKind } from '../../assets/service.ts';
import type { FetchedContent } from '../loading/fetcher.ts';
import { assetSources, type ImportedObject } from '../store.ts';
import { importFolder, readFileName } from './files.ts';
import { suppressObjectEvents } from './suppress-object-events.ts';
import type { Counters, RunPlan, RunTools } from './tools.ts';

/** Longest asset in characters; what is longer becomes a file. */
export const maxAssetLength = fieldLimits.template;

export class AssetImport {
  readonly #tools: RunTools;
  readonly #plan: RunPlan;
  readonly #counters: Counters;

  constructor(tools: RunTools, plan: RunPlan, counters: Counters) {
    this.#tools = tools;
    this.#plan = plan;
    this.#counters = counters;
  }

  find(url: string): Promise<ImportedObject | undefined> {
    return assetSources.find(this.#tools.reader, this.#plan.target.rootId, url);
  }

  /** An asset whose source has not changed. */
  reuse({ id }: ImportedObject): number {
    this.#counters.assets_reused += 1;
    this.#tools.progress.countAsset();
    return id;
  }

  /** Stores a text as an asset, in place of that of the last import. Returns its ID. */
  async store(kind: 'css' | 'js', url: string, source: FetchedContent, text: string): Promise<number> {
    const { changes, progress } = this.#tools;
    const known = await this.find(url);
    const outcome = await changes.change({ kind: 'import' }, async (change) => {
      const quiet = suppressObjectEvents(change);
      const { etag, last_modified } = source;
      const keep = (id: number) =>
        change.writeUnversioned(() =>
          assetSources.save(change.tx, this.#plan.target.rootId, url, {
            id,
            hash: hashOf(text),
            etag,
            last_modified,
          }),
        );
      const existing = known === undefined ? undefined : await assetKind.find(change.tx, known.id);
      if (known === undefined || existing === undefined) {
        const fields = { name: readFileName(url).slice(0, fieldLimits.name), kind, content: text };
        const { id } = await createObject(quiet, assetKind, {
          ...fields,
          folder: importFolder(this.#plan.base),
        });
        await keep(id);
        return { id, counter: 'assets' as const };
      }
      const isEdited = hashOf(existing.content) !== known.hash;
      const isChanged = hashOf(text) !== known.hash;
      if (isChanged && isEdited && !this.#plan.overwriteModified)
        return { id: known.id, counter: 'assets_kept' as const };
      if (existing.content === text || (isEdited && !isChanged && !this.#plan.overwriteModified)) {
        await keep(known.id);
        return { id: known.id, counter: 'assets_reused' as const };
      }
      await updateObject(quiet, assetKind, known.id, { content: text });
      await keep(known.id);
      return { id: known.id, counter: 'assets_updated' as const };
    });
    this.#counters[outcome.counter] += 1;
    if (outcome.counter === 'assets_kept') progress.note('warn', 'import.assetKept', { id: outcome.id }, url);
    progress.countAsset();
    return outcome.id;
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
