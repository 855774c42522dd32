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

/**
 * The effective languages of many pages. The page above another is the page whose path is the beginning of the
 * other's path, so only pages with a language of their own are kept: usually few of very many.
 */
export class EffectiveLangs {
  /** Own languages by path, for each website. */
  readonly #own = new Map<number, Map<string, string>>();

  /** Pages with a language count as pages above others; pages without one may be left out. */
  add(pages: Iterable<{ readonly root_id: number; readonly path: string; readonly lang: string }>): void {
    for (const { root_id, path, lang } of pages) {
      if (lang === '') continue;
      const ofSite = this.#own.get(root_id) ?? new Map<string, string>();
      this.#own.set(root_id, ofSite.set(path, lang));
    }
  }

  of({ root_id, path }: { readonly root_id: number; readonly path: string }): string {
    const ofSite = this.#own.get(root_id);
    if (ofSite === undefined) return defaultLang;
    let above = path;
    while (above.length > 1 && !ofSite.has(above)) above = above.slice(0, above.lastIndexOf('/')) || '/';
    return ofSite.get(above) ?? defaultLang;
  }
}
