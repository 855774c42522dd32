/** Which addresses of a folder show drafts and unpublished entries. */
import type { FolderContent } from '../../features/folders/format/content.ts';
import { toPagePath } from '../../features/folders/format/kinds/pages.ts';

/** Paths of pages that are drafts, and of the pages of entries that are not published. */
export function findDraftPaths({ objects }: FolderContent): ReadonlySet<string> {
  const drafts = new Set<string>();
  const details = new Map<unknown, { readonly page: string; readonly field: string }>();
  for (const { kind, key, fields } of objects.values()) {
    if (kind === 'page' && fields['published'] === false) drafts.add(toPagePath(key));
    const page = fields['detail_page_id'];
    if (kind === 'collection' && typeof page === 'string')
      details.set(fields['slug'], { page, field: String(fields['detail_field']) });
  }
  for (const { kind, fields } of objects.values()) {
    const detail = details.get(fields['collection']);
    if (kind !== 'item' || detail === undefined || fields['published'] !== false) continue;
    const part = fields[`data.${detail.field}`];
    if (typeof part === 'string' && part !== '')
      drafts.add(`${detail.page === '/' ? '' : detail.page}/${part}`);
  }
  return drafts;
}

/** A rule that marks links to entries that are not published; menus mark drafts by themselves. */
export function createDraftStyle(paths: ReadonlySet<string>): string {
  if (paths.size === 0) return '';
  const selectors = [...paths].map(
    (path) => `a[href=${JSON.stringify(path).replaceAll('<', '\\3c ')}]::after`,
  );
  return `<style data-incipit-drafts>${selectors.join(',')}{content:" Draft" !important;font:600 11px/16px system-ui,sans-serif !important;color:#5c4000 !important;background:#fff4d1 !important;padding:0 6px !important;border-radius:9px !important}</style>`;
}
