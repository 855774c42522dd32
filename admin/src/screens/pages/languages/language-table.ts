/** Which pages of a website there are in which language. No drawing here. */

/** What the table needs of a page. */
export interface LanguagePage {
  readonly id: number;
  readonly parent_id: number | null;
  readonly root_id: number;
  readonly title: string;
  readonly slug: string;
  readonly path: string;
  readonly lang: string;
  readonly translation_group: string;
}

/** A page in all its languages. */
export interface LanguageRow<Page extends LanguagePage> {
  /** The version that comes first in the tree. */
  readonly first: Page;
  readonly versions: ReadonlyMap<string, Page>;
}

export interface LanguageTable<Page extends LanguagePage> {
  /** The language of the home page first, then the others by name. Pages without a language have none here. */
  readonly languages: readonly string[];
  /** In the order of the tree. Pages without a language are left out. */
  readonly rows: readonly LanguageRow<Page>[];
  /** Number of pages that have no language, own or inherited, so that they cannot be versions. */
  readonly withoutLanguage: number;
}

/**
 * @param pages of all websites, because versions may belong to another one, by parent and position
 * @param root home page of the website
 */
export function languageTable<Page extends LanguagePage>(
  pages: readonly Page[],
  root: number,
): LanguageTable<Page> {
  const langOf = languagesOf(pages);
  const groups = Map.groupBy(
    pages.filter((page) => page.translation_group !== ''),
    (page) => page.translation_group,
  );
  const ofSite = inTreeOrder(pages, root);
  const seen = new Set<number>();
  const rows: LanguageRow<Page>[] = [];
  for (const page of ofSite) {
    if (seen.has(page.id) || langOf(page) === '') continue;
    const members = groups.get(page.translation_group) ?? [page];
    for (const member of members) seen.add(member.id);
    rows.push({ first: page, versions: new Map(members.map((member) => [langOf(member), member])) });
  }
  const home = ofSite[0];
  const first = home === undefined ? '' : langOf(home);
  const others = new Set(rows.flatMap(({ versions }) => [...versions.keys()]));
  others.delete(first);
  const languages = [...(first === '' ? [] : [first]), ...[...others].toSorted()];
  return { languages, rows, withoutLanguage: ofSite.filter((page) => langOf(page) === '').length };
}

/** Where a version in another language is made. */
export interface VersionPlace<Page extends LanguagePage> {
  readonly parent: Page;
  /** The language that the page has to name, because the one above has another; else undefined. */
  readonly lang: string | undefined;
}

/**
 * The place of a new version: below the version of the page above, else below the highest page of the website in
 * that language, else below the home page.
 */
export function placeOfVersion<Page extends LanguagePage>(
  pages: readonly Page[],
  { first }: Pick<LanguageRow<Page>, 'first'>,
  lang: string,
): VersionPlace<Page> | undefined {
  const langOf = languagesOf(pages);
  const ofSite = inTreeOrder(pages, first.root_id);
  const above = ofSite.find(({ id }) => id === first.parent_id);
  const group = above?.translation_group ?? '';
  const sibling =
    group === ''
      ? undefined
      : ofSite.find((page) => page.translation_group === group && langOf(page) === lang);
  const highest = above === undefined ? undefined : ofSite.find((page) => langOf(page) === lang);
  const parent = sibling ?? highest ?? ofSite[0];
  if (parent === undefined) return undefined;
  return { parent, lang: langOf(parent) === lang ? undefined : lang };
}

/** The language of a page: its own, else that of the nearest page above, else empty. */
function languagesOf<Page extends LanguagePage>(pages: readonly Page[]): (page: Page) => string {
  const byId = new Map(pages.map((page) => [page.id, page]));
  const known = new Map<number, string>();
  return function langOf(page): string {
    const found = known.get(page.id);
    if (found !== undefined) return found;
    const above = page.lang === '' && page.parent_id !== null ? byId.get(page.parent_id) : undefined;
    const lang = above === undefined ? page.lang : langOf(above);
    known.set(page.id, lang);
    return lang;
  };
}

/** The pages of a website: each before those below it. */
function inTreeOrder<Page extends LanguagePage>(pages: readonly Page[], root: number): readonly Page[] {
  const below = Map.groupBy(
    pages.filter(({ root_id }) => root_id === root),
    ({ parent_id }) => parent_id,
  );
  const ordered: Page[] = [];
  const open = [...(below.get(null) ?? [])].reverse();
  for (let page = open.pop(); page !== undefined; page = open.pop()) {
    ordered.push(page);
    open.push(...[...(below.get(page.id) ?? [])].reverse());
  }
  return ordered;
}
