import { LRUCache } from 'lru-cache';
import type {
  SitemapSourceAnswer,
  SitemapSourceRequest,
  SourcedAddress,
} from '../../../runtime/content/source-data.ts';
import type { Clock } from '../../base/clock.ts';
import type { ExternalDatabases } from './parts.ts';
import type { TemplateCalls } from './templates.ts';

/** How long an answer counts, in milliseconds (Core, "Limits"). */
const keptMs = 600_000;
/** How soon a source that has failed is asked again, in milliseconds. */
const retryMs = 60_000;
const maxSources = 1000;
const askMs = 30_000;

interface SourceDeps {
  readonly calls: TemplateCalls;
  readonly databases: ExternalDatabases;
  readonly clock: Clock;
}

/** A source as a page has it; the rules of pages have checked its form. */
interface Source {
  readonly type?: unknown;
  readonly path?: unknown;
  readonly connection?: unknown;
  readonly table?: unknown;
  readonly column?: unknown;
  readonly lastmod?: unknown;
  readonly view?: unknown;
  readonly rules?: unknown;
  readonly match?: unknown;
}

/**
 * The addresses of sitemap sources (Core, `sitemap_source`). An answer counts for ten minutes; if the source fails
 * then, its last answer goes on.
 */
export class SitemapSources {
  readonly #deps: SourceDeps;
  readonly #known = new LRUCache<string, { addresses: readonly SourcedAddress[]; expiresAt: number }>({
    max: maxSources,
  });

  constructor(deps: SourceDeps) {
    this.#deps = deps;
  }

  /** Never rejects. */
  async answer(request: SitemapSourceRequest): Promise<SitemapSourceAnswer> {
    const { sitemapSource, isFresh = false } = request;
    const key = JSON.stringify(sitemapSource);
    const known = this.#known.get(key);
    const now = this.#deps.clock();
    if (known !== undefined && known.expiresAt > now && !isFresh) return { ...request, ...known };
    try {
      const source: Source = { ...Object(sitemapSource) };
      const addresses = addressesIn(await this.#ask(source), source);
      const answer = { addresses, expiresAt: now + keptMs };
      this.#known.set(key, answer);
      return { ...request, ...answer };
    } catch (error) {
      if (isFresh) return { ...request, error: messageOf(error), expiresAt: 0 };
      return { ...request, addresses: known?.addresses ?? [], expiresAt: now + retryMs };
    }
  }

  async #ask({ type, path, ...source }: Source): Promise<unknown> {
    const { calls, databases } = this.#deps;
    if (type === 'workflow') return calls.get(String(path), { sitemap: '1' });
    const { connection, table, column, lastmod, view, rules, match } = source;
    const fields = [column || 'slug', lastmod].filter((name) => name !== undefined && name !== '');
    const args = { table, fields, all: true, ...defined({ view, rules, match }) };
    return databases.call(String(connection), 'list', args, AbortSignal.timeout(askMs));
  }
}

/** @throws Error if the answer is no list */
function addressesIn(answer: unknown, { column, lastmod }: Source): SourcedAddress[] {
  const list: unknown = Array.isArray(answer) ? answer : Reflect.get(Object(answer), 'records');
  if (!Array.isArray(list)) throw new Error('the source answers with no list');
  const entries: readonly unknown[] = list;
  return entries.flatMap((entry) => {
    if (typeof entry === 'string') return [{ part: entry, lastmod: 0 }];
    const part = own(entry, String(column || 'slug'));
    if (typeof part !== 'string' && typeof part !== 'number') return [];
    const changed = typeof lastmod === 'string' && lastmod !== '' ? own(entry, lastmod) : undefined;
    return [{ part: String(part), lastmod: secondsOf(changed) }];
  });
}

function own(entry: unknown, name: string): unknown {
  return typeof entry === 'object' && entry !== null && Object.hasOwn(entry, name)
    ? Reflect.get(entry, name)
    : undefined;
}

/** An ISO date or Unix time as Unix seconds; 0 for anything else. */
function secondsOf(value: unknown): number {
  const text = typeof value === 'string' ? value.trim() : value;
  const number =
    typeof text === 'number' || (typeof text === 'string' && /^\d+$/.test(text)) ? Number(text) : undefined;
  const seconds = number ?? (typeof text === 'string' ? Date.parse(text) / 1000 : Number.NaN);
  // Far beyond any date there is no ISO form.
  return seconds > 0 && seconds < 8e12 ? Math.floor(seconds > 1e11 ? seconds / 1000 : seconds) : 0;
}

function defined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
