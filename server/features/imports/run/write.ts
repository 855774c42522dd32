/** Writes all pages of an import in one change, at its end (Data, "Import job"). */
import { readFile } from 'node:fs/promises';
import { apiError } from '../../../base/errors.ts';
import { TimeSlices } from '../../../base/timers.ts';
import type { Change } from '../../../changes/changes.ts';
import { fieldLimits } from '../../../content/common-fields.ts';
import {
  createImportedPage,
  findAtPath,
  langOrNone,
  type PageReferences,
  updateImportedPage,
} from '../../pages/imported.ts';
import type { RunResult } from '../model.ts';
import { siteHost } from '../parsing/address.ts';
import type { ConvertedPage } from '../parsing/messages.ts';
import { saveHosts, savePageSource } from '../store.ts';
import type { SharedCode } from './shared.ts';
import { suppressObjectEvents } from './suppress-object-events.ts';
import type { Counters, PlannedPage, RunPlan, RunTools } from './tools.ts';

/** A page with the file that holds its fields. */
export interface ConvertedEntry {
  readonly page: PlannedPage;
  readonly output: string;
}

export interface WritePlan {
  readonly plan: RunPlan;
  readonly counters: Counters;
  readonly shared: SharedCode;
}

/** The fields of a page that an import sets. */
interface NewFields extends Omit<ConvertedPage, 'references'> {
  readonly assets: { asset_id: number; inherit: boolean }[];
}

type WrittenPage = RunResult['pages'][number];

/** @throws ApiError `import.targetGone` */
export function writePages(
  { changes, pages }: RunTools,
  { plan, counters, shared }: WritePlan,
  entries: readonly ConvertedEntry[],
): Promise<WrittenPage[]> {
  const ordered = [...entries].sort((left, right) => depthOf(left.page.path) - depthOf(right.page.path));
  return changes.change({ kind: 'import' }, async (change) => {
    // A change may run again, so it counts for itself.
    const writer = new PageWriter(change, pages, { plan, shared });
    if ((await pages.find(change.tx, plan.target.id)) === undefined) throw apiError('import.targetGone', {});
    const written: WrittenPage[] = [];
    // Visitors get their turn in between; the queue of changes waits.
    const slices = new TimeSlices();
    for (const entry of ordered) {
      written.push(await writer.write(entry));
      await slices.next();
    }
    const { base, target, downloadHosts } = plan;
    await change.writeUnversioned(() =>
      saveHosts(change.tx, target.rootId, siteHost(base), [...downloadHosts]),
    );
    change.record({
      kind: 'import',
      action: 'imported',
      id: target.id,
      name: siteHost(base),
    });
    change.after(() => {
      counters.placeholders = writer.placeholders;
      counters.shared_css = shared.form === 'inherited' ? shared.styles.length : 0;
      counters.shared_js = shared.form === 'inherited' ? shared.scripts.length : 0;
    });
    return written;
  });
}

class PageWriter {
  placeholders = 0;
  readonly #change: Change;
  readonly #kind: RunTools['pages'];
  readonly #plan: RunPlan;
  readonly #shared: SharedCode;

  constructor(change: Change, kind: RunTools['pages'], { plan, shared }: Omit<WritePlan, 'counters'>) {
    this.#change = suppressObjectEvents(change);
    this.#kind = kind;
    this.#plan = plan;
    this.#shared = shared;
  }

  async write({ page, output }: ConvertedEntry): Promise<WrittenPage> {
    const { tx } = this.#change;
    const { target } = this.#plan;
    // Type boundary: a process of ours has written the file.
    const converted: ConvertedPage = JSON.parse(await readFile(output, 'utf8'));
    const origin = { source_url: page.url, import_root: target.id };
    const fields = { ...this.#fieldsOf(page, converted), ...this.#assignments(page) };
    const references: PageReferences = converted.references;
    const state =
      page.existing === undefined
        ? await this.#create(page, fields, { origin, references })
        : await updateImportedPage(this.#change, this.#kind, page.existing.id, this.#updated(page, fields), {
            origin,
            references,
          });
    const { content } = page;
    if (content !== undefined) {
      const { hash, etag, last_modified } = content.source;
      await this.#change.writeUnversioned(() => savePageSource(tx, state.id, { hash, etag, last_modified }));
    }
    return { id: state.id, path: state.path, source: page.url, action: page.action };
  }

  #fieldsOf(page: PlannedPage, converted: ConvertedPage) {
    const { title, description, html, head, html_attrs, body_attrs } = converted;
    const fallback = page.path.slice(page.path.lastIndexOf('/') + 1) || siteHost(this.#plan.base);
    return {
      title: (title === '' ? fallback : title).slice(0, fieldLimits.title),
      description: description.slice(0, fieldLimits.text),
      html,
      head,
      html_attrs: html_attrs.slice(0, fieldLimits.text),
      body_attrs: body_attrs.slice(0, fieldLimits.text),
    };
  }

  /** Assets of the target page pass on to all below it. */
  #assignments({ isHome }: PlannedPage): { readonly assets: { asset_id: number; inherit: boolean }[] } {
    const { form, styles, scripts } = this.#shared;
    const isHolder = form === 'own' || isHome;
    const assets = isHolder ? [...styles, ...scripts] : [];
    return { assets: assets.map(({ id }) => ({ asset_id: id, inherit: form === 'inherited' })) };
  }

  /** A level that an import has made itself becomes a page like a new one, as does the home page of a new website. */
  #updated<Fields extends object>({ existing, content }: PlannedPage, fields: Fields) {
    const { target, publish } = this.#plan;
    const wasPlaceholder = existing?.source_url === '' && existing.import_root === target.id;
    const isNewHome = target.isNew && existing?.id === target.id;
    const lang = wasPlaceholder || isNewHome ? langOrNone(content?.facts.lang ?? '') : '';
    return {
      ...fields,
      ...(lang === '' ? {} : { lang }),
      ...(wasPlaceholder && publish ? { published: true } : {}),
    };
  }

  async #create(page: PlannedPage, fields: NewFields, options: Parameters<typeof createImportedPage>[3]) {
    const { path, content } = page;
    const parentId = await this.#levelAbove(path);
    const slug = path.slice(path.lastIndexOf('/') + 1);
    const lang = langOrNone(content?.facts.lang ?? '');
    return createImportedPage(
      this.#change,
      this.#kind,
      { ...fields, parent_id: parentId, slug, lang, published: this.#plan.publish },
      options,
    );
  }

  /** The page above a path. Levels that are missing are created as drafts. */
  async #levelAbove(path: string): Promise<number> {
    const { target } = this.#plan;
    const above = path.slice(0, path.lastIndexOf('/')) || '/';
    if (above === target.path) return target.id;
    const found = await findAtPath(this.#change.tx, target.rootId, above);
    if (found !== undefined) return found.id;
    const slug = above.slice(above.lastIndexOf('/') + 1);
    const parent_id = await this.#levelAbove(above);
    const { id } = await createImportedPage(
      this.#change,
      this.#kind,
      { parent_id, slug, title: slug },
      { origin: { source_url: '', import_root: target.id }, references: {} },
    );
    this.placeholders += 1;
    return id;
  }
}

function depthOf(path: string): number {
  return path === '/' ? 0 : path.split('/').length;
}
