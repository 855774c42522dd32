/** Style sheets and scripts that all pages of an import have in common (Data, "Website import", rule 5). */
import { listAssignedAssets } from '../../pages/imported.ts';
import { listAssetSources } from '../store.ts';
import type { PlannedPage, RunPlan, RunTools } from './tools.ts';

/** An asset with the address that it comes from. */
export interface SharedFile {
  readonly url: string;
  readonly id: number;
}

/** Assets that are assigned to pages and leave their text. */
export interface SharedCode {
  readonly styles: readonly SharedFile[];
  readonly scripts: readonly SharedFile[];
  /**
   * `inherited`: the target page has them for all below it. `own`: each page has them itself, because the home page
   * of the original is not imported.
   */
  readonly form: 'inherited' | 'own';
}

/**
 * Decides what is shared. Pages of earlier imports that are not written now rely on what the target page passes on,
 * so as long as there are any this stays as it is.
 */
export async function sharedCode(
  { reader }: RunTools,
  plan: RunPlan,
  pages: readonly PlannedPage[],
  assets: ReadonlyMap<string, number>,
): Promise<SharedCode> {
  const written = pages.filter(({ content }) => content !== undefined);
  const inherited = await inheritedCode(reader, plan);
  const hasOthers = pages.some(
    ({ content, existing }) => content === undefined && existing?.source_url !== undefined,
  );
  if (inherited !== undefined && (hasOthers || !written.some(({ isHome }) => isHome))) return inherited;
  const styles = written.map(({ content }) => takenPrefix(content?.facts.styles ?? [], assets));
  const scripts = written.map(({ content }) =>
    takenPrefix([...(content?.facts.scripts ?? [])].reverse(), assets),
  );
  const withIds = (urls: readonly string[]): SharedFile[] =>
    urls.flatMap((url) => {
      const id = assets.get(url);
      return id === undefined ? [] : [{ url, id }];
    });
  return {
    styles: withIds(commonPrefix(styles)),
    scripts: withIds(commonPrefix(scripts).reverse()),
    form: written.some(({ isHome }) => isHome) ? 'inherited' : 'own',
  };
}

/** What earlier imports have made the target page pass on; undefined if nothing. */
async function inheritedCode(
  reader: RunTools['reader'],
  { target }: RunPlan,
): Promise<SharedCode | undefined> {
  const sources = await listAssetSources(reader, target.rootId);
  const assigned = await listAssignedAssets(reader, target.id);
  const shared = assigned.flatMap(({ asset_id, inherit, kind }) => {
    const url = sources.get(asset_id);
    return inherit && url !== undefined ? [{ url, kind, id: asset_id }] : [];
  });
  if (shared.length === 0) return undefined;
  const ofKind = (wanted: 'css' | 'js'): SharedFile[] => shared.filter(({ kind }) => kind === wanted);
  return { styles: ofKind('css'), scripts: ofKind('js'), form: 'inherited' };
}

/** The addresses up to the first that was not taken over. */
function takenPrefix(urls: readonly string[], assets: ReadonlyMap<string, number>): readonly string[] {
  const end = urls.findIndex((url) => !assets.has(url));
  return end < 0 ? urls : urls.slice(0, end);
}

function commonPrefix(lists: readonly (readonly string[])[]): string[] {
  const [first = [], ...others] = lists;
  const end = first.findIndex((url, index) => others.some((list) => list[index] !== url));
  return [...new Set(end < 0 ? first : first.slice(0, end))];
}
