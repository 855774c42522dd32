/**
 * Which objects refer to which (`object_references`). A reference is in a field (the assets of a page) or in a
 * template (a snippet that it names, a link). Each save replaces the references of the fields that it changes,
 * within its own change, so that the table always fits the content.
 */
import { isDeepStrictEqual } from 'node:util';
import { dataLinksIn, mediaLinksIn } from '../../../runtime/page/links.ts';
import type { Change } from '../../changes/changes.ts';
import type { CheckedText } from '../../changes/text-analysis.ts';
import type { Kind, ObjectKey, ObjectState, Reference } from './kind.ts';
import { replaceReferences } from './store.ts';

export { addToBacklog, findReferrers, listReferredKeys, replaceReferences } from './store.ts';

/** What this module asks of a kind. */
export type ReferringKind<State extends ObjectState> = Pick<
  Kind<State>,
  'name' | 'namesOf' | 'texts' | 'refersTo' | 'revisions'
>;

/**
 * Stores the references of an object that has just been stored.
 *
 * @param before the state before; undefined for a new object
 */
export async function saveReferences<State extends ObjectState>(
  change: Change,
  kind: ReferringKind<State>,
  after: State,
  before?: State,
): Promise<void> {
  const referrer = { kind: kind.name, id: after.id, rootId: kind.namesOf(after).root_id ?? 0 };
  const old = before === undefined ? {} : (kind.refersTo?.(before) ?? {});
  for (const [field, references] of Object.entries(kind.refersTo?.(after) ?? {})) {
    if (isDeepStrictEqual(references, old[field] ?? [])) continue;
    await replaceReferences(change.tx, referrer, field, referrer.rootId, references);
  }
  const oldTexts = before === undefined ? [] : (kind.texts?.(before) ?? []);
  const changed = (kind.texts?.(after) ?? []).filter((text) => isTemplate(text) && !hasText(oldTexts, text));
  if (changed.length > 0) keepTextReferences(change, referrer, changed, before === undefined);
}

function keepTextReferences(
  change: Change,
  referrer: ObjectKey & { readonly rootId: number },
  texts: readonly CheckedText[],
  isNew: boolean,
): void {
  change.inspect(texts, async (reports) => {
    for (const [index, { field }] of texts.entries()) {
      const references: readonly Reference[] = reports[index]?.references ?? [];
      if (isNew && references.length === 0) continue;
      await replaceReferences(change.tx, referrer, field, referrer.rootId, references);
    }
  });
}

function isTemplate({ language }: CheckedText): boolean {
  return language === 'template';
}

function hasText(texts: readonly CheckedText[], { field, source }: CheckedText): boolean {
  return texts.some((text) => text.field === field && text.source === source);
}

/** The collections and sources that code and settings name by their addresses. */
export function dataReferencesIn(text: string): Reference[] {
  const slugs = new Set(dataLinksIn(text).map(({ slug }) => slug));
  return [...slugs].map((key) => ({ kind: 'collection', key }));
}

/** The files that a text in any language names by their addresses. */
export function mediaReferencesIn(text: string): Reference[] {
  return mediaLinksIn(text).map((key) => ({ kind: 'media', key }));
}
