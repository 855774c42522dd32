/** Parts of conditions on rows. The rows of a table are called `o` in them, and `$pages` is the table with all pages. */
import { type ColumnType, columnNames } from '../../runtime/content/columns.ts';
import { defaultLang } from '../../runtime/content/language.ts';
import { pageColumns } from '../../runtime/content/tables.ts';
import type { GrantLimits } from '../base/rights.ts';

export const everything = 'TRUE';
export const nothing = 'FALSE';

export function joinAny(conditions: readonly string[]): string {
  if (conditions.includes(everything)) return everything;
  const possible = [...new Set(conditions.filter((condition) => condition !== nothing))];
  return possible.length === 0 ? nothing : `(${possible.join(' OR ')})`;
}

export function joinAll(conditions: readonly string[]): string {
  if (conditions.includes(nothing)) return nothing;
  const needed = conditions.filter((condition) => condition !== everything);
  return needed.length === 0 ? everything : `(${needed.join(' AND ')})`;
}

export function listNumbers(ids: readonly unknown[]): string {
  return ids.filter(Number.isSafeInteger).map(Number).join(', ');
}

/** Texts as literals. No slug or language has the sign that stands for a table. */
export function listTexts(texts: readonly unknown[]): string {
  return texts
    .map(String)
    .filter((text) => !/[$\0]/.test(text))
    .map((text) => `'${text.replaceAll("'", "''")}'`)
    .join(', ');
}

/** The columns that are shown of pages above those that may be read, and those that the server itself needs. */
const shownAbove: ReadonlySet<string> = new Set([
  ...['id', 'parent_id', 'root_id', 'slug', 'path', 'sort', 'title', 'lang', 'domains', 'zone'],
]);

/** Pages that may be read, and in outline those above them: their `updated_at` is 0. */
export function selectPages(readable: string, above: string): string {
  const names = columnNames(pageColumns);
  const whole = names.map((name) => `o.${name}`).join(', ');
  const outline = names.map((name) =>
    shownAbove.has(name) ? `o.${name}` : `${emptyCell(pageColumns[name])} AS ${name}`,
  );
  const shown = `SELECT ${whole} FROM $pages AS o WHERE ${readable}`;
  if (above === nothing) return shown;
  return `${shown} UNION ALL SELECT ${outline.join(', ')} FROM $pages AS o WHERE (${above}) AND NOT (${readable})`;
}

function emptyCell(type: ColumnType): string {
  if (type === 'json') return "'[]'";
  if (type === 'json?' || type === 'integer?') return 'NULL';
  return type === 'text' ? "''" : '0';
}

/**
 * The condition that there are pages below a page that may be read.
 *
 * @param isGrantedBy the condition that limits let a page through
 */
export function isAbove(reads: readonly GrantLimits[], isGrantedBy: (limits: GrantLimits) => string): string {
  return joinAny(
    reads.map((limits) => {
      const { pages, languages } = limits;
      const granted = isGrantedBy(limits);
      if (granted === nothing || (pages === undefined && languages === undefined)) return nothing;
      const below = pages === undefined ? nothing : isAbovePages(pages, granted);
      return languages === undefined ? below : joinAny([below, isAboveLanguage(granted, languages)]);
    }),
  );
}

function isAbovePages(ids: readonly number[], granted: string): string {
  return `o.id IN (WITH RECURSIVE line (id) AS (
      SELECT o.parent_id FROM $pages AS o WHERE o.id IN (${listNumbers(ids)}) AND ${granted}
      UNION SELECT p.parent_id FROM $pages AS p JOIN line ON p.id = line.id
    ) SELECT id FROM line WHERE id IS NOT NULL)`;
}

/** A page of another language is above readable ones if a page below it has one of the languages as its own. */
function isAboveLanguage(granted: string, languages: readonly string[]): string {
  const below = `q.root_id = o.root_id AND q.path <> o.path AND q.path > CASE o.path WHEN '/' THEN '' ELSE o.path END || '/'
    AND q.path < CASE o.path WHEN '/' THEN '' ELSE o.path END || '0'`;
  return `EXISTS (SELECT 1 FROM $pages AS q WHERE ${below} AND q.lang IN (${listTexts(languages)})
    AND q.id IN (SELECT o.id FROM $pages AS o WHERE o.id = q.id AND ${granted}))`;
}

/** SQL for the language of a page `o` (`runtime/content/language.ts`). */
export const effectiveLangSql = `CASE WHEN o.lang <> '' THEN o.lang ELSE coalesce((
    WITH RECURSIVE up (parent_id, lang, distance) AS (
      SELECT p.parent_id, p.lang, 0 FROM $pages AS p WHERE p.id = o.parent_id
      UNION ALL
      SELECT p.parent_id, p.lang, up.distance + 1 FROM $pages AS p JOIN up ON p.id = up.parent_id
    )
    SELECT up.lang FROM up WHERE up.lang <> '' ORDER BY up.distance LIMIT 1
  ), '${defaultLang}') END`;

/** Most pages that are compared one after the other; a condition of SQLite has at most 1,000 levels. */
const maxRanges = 50;

/** The condition that a page is one of these or below one. The path of each is read once for a query. */
export function isBelow(ids: readonly unknown[]): string {
  if (ids.length === 0) return nothing;
  if (ids.length > maxRanges)
    return `EXISTS (SELECT 1 FROM $pages AS g WHERE g.id IN (${listNumbers(ids)}) AND g.root_id = o.root_id AND (
      g.path = o.path OR g.path = '/' OR substr(o.path, 1, length(g.path) + 1) = g.path || '/'))`;
  return joinAny(
    ids.map((id) => {
      const of = (value: string) => `(SELECT ${value} FROM $pages AS g WHERE g.id = ${listNumbers([id])})`;
      const above = `CASE g.path WHEN '/' THEN '' ELSE g.path END`;
      return `(o.root_id = ${of('g.root_id')} AND (o.path = ${of('g.path')}
        OR (o.path > ${of(`${above} || '/'`)} AND o.path < ${of(`${above} || '0'`)})))`;
    }),
  );
}

export function isNamed(refs: readonly unknown[]): string {
  const ids = refs.filter((ref) => typeof ref === 'number');
  const slugs = refs.filter((ref) => typeof ref === 'string');
  return `(c.id IN (${listNumbers(ids)}) OR c.slug IN (${listTexts(slugs)}))`;
}
