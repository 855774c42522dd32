import { type Directive, directives, type Inline } from '../../../runtime/page/loads/loads.ts';
import type { LoadsResult } from '../../../runtime/tasks/messages/documents.ts';
import type { SharedServices } from '../../feature.ts';
import { requestHost } from '../pages/address.ts';
import { publishedPageIds } from '../pages/service.ts';
import { securityLimits } from './model.ts';
import type { SecuritySources } from './sources-model.ts';

/** Most pages that one request looks at; rendering them takes about 3 s. */
const maxPages = 500;

/** Most hashes in an answer of each kind. More than a few make no policy anyway. */
const maxHashes = 50;

/**
 * What the published pages of all websites load, for writing a policy. Pages are rendered one after the other, so
 * that visitors never wait for more than one of them. Detail pages below catch-all pages are not looked at.
 *
 * @param host of the request, for websites without domains
 */
export async function listSources(
  { reader, pool, clock }: Pick<SharedServices, 'reader' | 'pool' | 'clock'>,
  host: string,
): Promise<SecuritySources> {
  const ids = await publishedPageIds(reader, maxPages + 1);
  const found = new FoundSources();
  let skipped = 0;
  for (const pageId of ids.slice(0, maxPages)) {
    const task = {
      kind: 'loads',
      pageId,
      host: requestHost(host),
      query: '',
      rest: [],
      unsaved: {},
    } as const;
    const loads = await pool.request({ ...task, now: clock() });
    if (loads === undefined) skipped += 1;
    else found.add(loads);
  }
  const pages = Math.min(ids.length, maxPages) - skipped;
  return { pages, skipped, complete: ids.length <= maxPages, ...found.present() };
}

/** On how many pages something was found. */
type PageCounts = Map<string, number>;

class FoundSources {
  readonly #sources = new Map<Directive, PageCounts>();
  readonly #inline = new Map<Inline['kind'], PageCounts>();

  add({ sources, inline }: LoadsResult & object): void {
    const seen = new Set<string>();
    const count = <Key>(counts: Map<Key, PageCounts>, key: Key, value: string): void => {
      if (seen.has(`${key} ${value}`)) return;
      seen.add(`${key} ${value}`);
      const values = counts.get(key) ?? new Map();
      counts.set(key, values.set(value, (values.get(value) ?? 0) + 1));
    };
    for (const { directive, source } of sources) count(this.#sources, directive, source);
    for (const { kind, hash } of inline) count(this.#inline, kind, hash);
  }

  present(): Pick<SecuritySources, 'directives' | 'inline' | 'policy'> {
    return {
      directives: directives.map((directive) => ({
        directive,
        sources: sorted(this.#sources.get(directive)).map(([source, pages]) => ({ source, pages })),
      })),
      inline: inlineKinds.map((kind) => {
        const hashes = sorted(this.#inline.get(kind));
        return {
          kind,
          different: hashes.length,
          hashes: hashes.slice(0, maxHashes).map(([hash, pages]) => ({ hash, pages })),
        };
      }),
      policy: this.#policy(),
    };
  }

  /** The strictest policy under which these pages work; empty if it would be too long. */
  #policy(): string {
    const parts = directives.flatMap((directive) => {
      const sources = [
        ...this.#inlineSources(directive),
        ...sorted(this.#sources.get(directive)).map(([name]) => name),
      ];
      // Scripts may build what they load from their own website.
      if (directive === 'connect-src' && !sources.includes("'self'")) sources.push("'self'");
      return sources.length === 0 ? [`${directive} 'none'`] : [`${directive} ${sources.join(' ')}`];
    });
    const policy = ["default-src 'self'", ...parts, "base-uri 'self'"].join('; ');
    return policy.length <= securityLimits.csp ? policy : '';
  }

  /** Hashes where they are enough; browsers ignore hashes for attributes, and all of them beside 'unsafe-inline'. */
  #inlineSources(directive: Directive): string[] {
    const [element, attribute] = inlineOf[directive] ?? [];
    if (element === undefined || attribute === undefined) return [];
    if (this.#inline.has(attribute)) return ["'unsafe-inline'"];
    return sorted(this.#inline.get(element)).map(([hash]) => hash);
  }
}

const inlineKinds: readonly Inline['kind'][] = ['script', 'event handler', 'style', 'style attribute'];

/** What is inline under a directive: elements, and attributes. */
const inlineOf: { readonly [Name in Directive]?: readonly [Inline['kind'], Inline['kind']] } = {
  'script-src': ['script', 'event handler'],
  'style-src': ['style', 'style attribute'],
};

/** Most frequent first, then by name. */
function sorted(counts: PageCounts = new Map()): [string, number][] {
  return [...counts].sort(([left, leftPages], [right, rightPages]) =>
    leftPages === rightPages ? (left < right ? -1 : 1) : rightPages - leftPages,
  );
}
