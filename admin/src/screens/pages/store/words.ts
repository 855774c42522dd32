/** The words of a page, by the names of its regions. */
import { useMemo } from 'react';
import { SharedValue } from '../../../base/shared-value.ts';
import type { Page } from '../../../content/pages.ts';
import type { EditorStore } from '../../../editing/editor-store.ts';
import { type Fields, isEqual } from '../../../editing/merge/fields.ts';
import { changeWords } from '../../../editing/merge/named-parts.ts';

/** Whether there are words to edit, or words that no template shows any more. */
export function hasWords({ region_schema, regions }: Pick<Page, 'region_schema' | 'regions'>): boolean {
  return region_schema.length > 0 || Object.keys(regions).length > 0;
}

/** Those words that differ; null for a name that has gone, so that its default shows. */
export function findChangedWords(before: Fields, after: Fields): Fields {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => !isEqual(readWord(after, name), readWord(before, name)));
  return Object.fromEntries(changed.map((name) => [name, readWord(after, name)]));
}

/** The words of one region; null if there are none, so that its default shows. */
export function readWord(words: Fields, name: string): unknown {
  return Object.hasOwn(words, name) ? words[name] : null;
}

/** Changes the words of one region; null shows the default again. */
export function setWord(store: EditorStore<Page>, name: string, value: unknown): void {
  const { base } = store;
  const next = changeWords(store.get('regions'), { [name]: value });
  // In the order of the server, so that the same words count as unchanged.
  const names = new Set([...Object.keys(base.regions), ...Object.keys(next)]);
  const ordered = [...names].flatMap((key) => (Object.hasOwn(next, key) ? [[key, next[key]] as const] : []));
  store.set('regions', Object.fromEntries(ordered));
}

/** Labels of regions by their names; the same object as long as the page is the same. */
export function useRegionLabels({ region_schema }: Page): Readonly<Record<string, string>> {
  return useMemo(
    () => Object.fromEntries(region_schema.map(({ name, label }) => [name, label])),
    [region_schema],
  );
}

/** The region that was clicked in the page, until its input has the focus. */
export const pickedRegion = new SharedValue<
  { readonly store: EditorStore<Page>; readonly name: string } | undefined
>(undefined);
