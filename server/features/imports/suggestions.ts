/**
 * Layouts and snippets for what imported pages have in common. Applying them changes the templates and not the pages:
 * every page is rendered with its old and its new template before anything is saved, and keeps the old one unless both
 * give the same bytes.
 */
import type { DocumentResult, DocumentTask } from '../../../runtime/tasks/messages/documents.ts';
import type { Actor } from '../../base/actor.ts';
import { apiError, invalid } from '../../base/errors.ts';
import { createObject, removeObject, updateObject } from '../../content/kinds/objects.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { SharedServices } from '../../feature.ts';
import type { PagesFeature } from '../pages/index.ts';
import { isSnippetNameTaken, snippetKind } from '../snippets/service.ts';
import type { Jobs } from './jobs/jobs.ts';
import { formatLoadError } from './loading/load-page.ts';
import type { ParsingPool } from './loading/pool.ts';
import { type ApplyResult, importLimits, type SuggestionsApply } from './model.ts';
import type { RewriteTask, SuggestedPart } from './parsing/messages.ts';

export interface SuggestionsDeps extends Pick<SharedServices, 'reader' | 'changes' | 'background' | 'clock'> {
  readonly jobs: Jobs;
  readonly pool: ParsingPool;
  readonly pages: PagesFeature['kind'];
}

/** What a page would become. */
interface Rewritten {
  readonly id: number;
  readonly before: string;
  readonly after: string;
  /** Of the page as it was read. */
  readonly updatedAt: number;
}

interface Rewriting {
  /** Contents of snippets that are not stored, by name. */
  readonly snippets: ReadonlyMap<string, string> | undefined;
  /** Called for each page whose output stays the same. */
  keep(page: Rewritten): Promise<void>;
}

type Outcome = Pick<ApplyResult, 'pages' | 'skipped'>;

/** Pages that are compared with each other, and characters of all of them. */
const limits = { pages: 150, characters: 12 * 2 ** 20 } as const;

export class Suggestions {
  readonly #deps: SuggestionsDeps;

  constructor(deps: SuggestionsDeps) {
    this.#deps = deps;
  }

  /** GET /import/jobs/{id}/suggestions. @throws ApiError `common.notFound`, 409 `import.notFinished` */
  async list(jobId: string): Promise<readonly SuggestedPart[]> {
    const pages = await this.#templatesOf(await this.#pageIds(jobId));
    return pages.size < 3 ? [] : this.#deps.pool.run({ kind: 'suggest', pages });
  }

  /**
   * POST /import/jobs/{id}/suggestions/apply, also as a dry run
   *
   * @throws ApiError as `list`, `common.invalid` for an unknown suggestion, 409 `snippet.nameTaken`
   */
  async apply(actor: Actor, jobId: string, body: SuggestionsApply): Promise<ApplyResult> {
    const { changes, reader } = this.#deps;
    const all = await this.list(jobId);
    const chosen = all.filter(({ id }) => body.suggestions.includes(id));
    const unknown = body.suggestions.find((id) => !all.some((part) => part.id === id));
    if (unknown !== undefined) throw invalid('suggestions', `has none with the ID ${unknown.slice(0, 100)}`);
    const names = await namesFor(reader, chosen, new Map(Object.entries(body.names ?? {})));
    const pageIds = await this.#pageIds(jobId);
    if (body.dry_run === true) return this.#dryRun(pageIds, chosen, names);
    const created = await changes.change(actor, async (change) => {
      const snippets: { id: number; name: string }[] = [];
      for (const { id, html } of chosen) {
        const snippet = { name: names.get(id) ?? id, content: html };
        const state = await createObject(change, snippetKind, snippet);
        snippets.push({ id: state.id, name: state.name });
      }
      return snippets;
    });
    const result = await this.#rewriteAll(pageIds, rewriteWith(chosen, names), {
      snippets: undefined,
      keep: (page) => this.#save(actor, page),
    });
    return { snippets: await this.#withoutUnused(actor, created, result.pages), ...result };
  }

  /** IDs of the pages that are of an import. */
  async #pageIds(jobId: string): Promise<number[]> {
    const { kind, status, result } = await this.#deps.jobs.show(jobId);
    if (kind !== 'import' || status !== 'done' || result === undefined || !('target_page_id' in result))
      throw apiError('import.notFinished', {});
    return [
      ...new Set(result.pages.flatMap(({ id, action }) => (id > 0 && action !== 'foreign' ? [id] : []))),
    ];
  }

  async #templatesOf(ids: readonly number[]): Promise<Map<number, string>> {
    const pages = new Map<number, string>();
    let characters = 0;
    for (const id of ids) {
      const page = await this.#deps.pages.find(this.#deps.reader, id);
      if (page === undefined || page.html === '') continue;
      characters += page.html.length;
      if (pages.size === limits.pages || characters > limits.characters) break;
      pages.set(id, page.html);
    }
    return pages;
  }

  /** What `apply` would do. The pages are rendered with snippets that are not stored. @throws ApiError as `apply` */
  async #dryRun(
    pageIds: readonly number[],
    chosen: readonly SuggestedPart[],
    names: ReadonlyMap<string, string>,
  ): Promise<ApplyResult> {
    const contents = new Map<string, string>();
    for (const { id, html } of chosen) {
      const name = names.get(id) ?? id;
      if (contents.has(name) || (await isSnippetNameTaken(this.#deps.reader, name)))
        throw apiError('snippet.nameTaken', { name });
      contents.set(name, html);
    }
    const used = new Set<string>();
    const templates: { id: number; before: string; after: string }[] = [];
    const outcome = await this.#rewriteAll(pageIds, rewriteWith(chosen, names), {
      snippets: contents,
      async keep({ id, before, after }) {
        for (const name of contents.keys()) if (refersTo(after, name)) used.add(name);
        if (templates.length < importLimits.previews) templates.push({ id, before, after });
      },
    });
    return { snippets: [...used].map((name) => ({ id: 0, name })), ...outcome, templates };
  }

  /** Rewrites the templates of pages, and lets `keep` have those whose output stays the same. */
  async #rewriteAll(
    ids: readonly number[],
    names: Omit<RewriteTask, 'kind' | 'html'>,
    { snippets, keep }: Rewriting,
  ): Promise<Outcome> {
    const { reader, pages, pool } = this.#deps;
    const done: number[] = [];
    const skipped: { id: number; reason: string }[] = [];
    for (const id of ids) {
      const page = await pages.find(reader, id);
      if (page === undefined) continue;
      try {
        const html = await pool.run({ kind: 'rewrite', html: page.html, ...names });
        if (html === page.html) continue;
        const fault = await this.#difference(id, html, snippets);
        if (fault === undefined) {
          await keep({ id, before: page.html, after: html, updatedAt: page.updated_at });
          done.push(id);
        } else skipped.push({ id, reason: fault });
      } catch (error) {
        skipped.push({ id, reason: formatLoadError(error) });
      }
    }
    return { pages: done, skipped };
  }

  /** Why a page would not be the same with another template; undefined if it would. */
  async #difference(
    pageId: number,
    html: string,
    snippets: ReadonlyMap<string, string> | undefined,
  ): Promise<string | undefined> {
    const now = this.#deps.clock();
    const render = (unsaved: Pick<DocumentTask, 'unsaved' | 'snippets'>): Promise<DocumentResult> =>
      this.#deps.background.run({
        kind: 'document',
        form: 'page',
        pageId,
        host: 'localhost',
        query: '',
        rest: [],
        assets: undefined,
        overrides: new Map(),
        now,
        ...unsaved,
      });
    const [before, after] = [await render({ unsaved: {} }), await render({ unsaved: { html }, snippets })];
    if (after.kind === 'failed') return after.message;
    if (before.kind !== 'document' || after.kind !== 'document') return 'it cannot be rendered';
    return before.text === after.text ? undefined : 'its output would change';
  }

  async #save(actor: Actor, { id, after, updatedAt }: Rewritten): Promise<void> {
    const { changes, pages } = this.#deps;
    await changes.change(actor, (change) =>
      updateObject(change, pages, id, { html: after, base_updated_at: updatedAt }),
    );
  }

  /** Snippets that no page uses in the end are deleted again. */
  async #withoutUnused(
    actor: Actor,
    snippets: ApplyResult['snippets'],
    pageIds: readonly number[],
  ): Promise<ApplyResult['snippets']> {
    const { changes, pages, reader } = this.#deps;
    const unused = new Set(snippets);
    for (const id of pageIds) {
      const html = (await pages.find(reader, id))?.html ?? '';
      for (const snippet of unused) if (refersTo(html, snippet.name)) unused.delete(snippet);
      if (unused.size === 0) break;
    }
    await changes.change(actor, async (change) => {
      for (const { id } of unused) await removeObject(change, snippetKind, id, { isFinal: true });
    });
    return snippets.filter((snippet) => !unused.has(snippet));
  }
}

/** Whether a rewritten template uses a snippet. */
function refersTo(html: string, name: string): boolean {
  return html.includes(`"${name}"`);
}

function rewriteWith(
  chosen: readonly SuggestedPart[],
  names: ReadonlyMap<string, string>,
): Omit<RewriteTask, 'kind' | 'html'> {
  const layout = chosen.find((part) => part.layout !== undefined);
  return {
    layout:
      layout?.layout === undefined ? undefined : { pattern: layout.layout, name: names.get(layout.id) ?? '' },
    cards: chosen.flatMap(({ id, card }) =>
      card === undefined ? [] : [{ pattern: card, name: names.get(id) ?? '' }],
    ),
  };
}

/** A free name for each suggestion: the one that was asked for, or the proposed one with a number if it is taken. */
async function namesFor(
  db: ContentDb,
  chosen: readonly SuggestedPart[],
  wanted: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const { id, name } of chosen) {
    const own = wanted.get(id);
    let free = own ?? `import/${name}`;
    const isTaken = async (): Promise<boolean> =>
      [...names.values()].includes(free) || (await isSnippetNameTaken(db, free));
    for (let number = 2; own === undefined && (await isTaken()); number++) free = `import/${name}-${number}`;
    names.set(id, free);
  }
  return names;
}
