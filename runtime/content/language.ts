/**
 * The language of a page: its own, else that of the nearest page above that has one, else the default
 * (Core, "Page", `effective_lang`).
 */

/** Language of a page if neither the page nor a page above it has one. */
export const defaultLang = 'de';

/**
 * SQL for the language of a page without the default: NULL if neither the page nor a page above it has one.
 *
 * @param pageId SQL expression of the outer query for the ID of the page
 */
export function chosenLangSql(pageId: string): string {
  return `(
    WITH RECURSIVE line (parent_id, lang, distance) AS (
      SELECT own.parent_id, own.lang, 0 FROM pages own WHERE own.id = ${pageId}
      UNION ALL
      SELECT up.parent_id, up.lang, line.distance + 1 FROM pages up JOIN line ON up.id = line.parent_id
    )
    SELECT line.lang FROM line WHERE line.lang <> '' ORDER BY line.distance LIMIT 1
  )`;
}

interface PageLang {
  readonly id: number;
  readonly parent_id: number | null;
  readonly lang: string;
}

/**
 * The effective languages of a set of pages. When a language is asked for, the set must contain all pages above
 * that page. Results are kept, so each line of ancestors is followed once.
 */
export class EffectiveLangs {
  readonly #pages = new Map<number, PageLang>();
  readonly #known = new Map<number, string>();

  add(pages: Iterable<PageLang>): void {
    for (const page of pages) this.#pages.set(page.id, page);
  }

  of(id: number): string {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const page = this.#pages.get(id);
    const above = page?.parent_id ?? undefined;
    const lang = page?.lang || (above === undefined ? defaultLang : this.of(above));
    this.#known.set(id, lang);
    return lang;
  }
}
