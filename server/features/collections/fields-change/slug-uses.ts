/** Where objects name a collection by its slug, and the fields of its entries outside of templates. */
import { positionAt } from '../../../../grammar/positions.ts';
import { dataLinksIn } from '../../../../runtime/page/links.ts';
import { findTags } from '../../../base/text.ts';
import type { Change } from '../../../changes/changes.ts';
import type { Kind, NamingText, ObjectKey, ObjectState } from '../../../content/kinds/kind.ts';
import { updateObject } from '../../../content/kinds/objects.ts';
import { findReferrers } from '../../../content/kinds/references.ts';
import type { SharedServices } from '../../../feature.ts';
import type { TemplateUse } from './model.ts';

export type SlugUsesDeps = Pick<SharedServices, 'reader' | 'pool' | 'registry' | 'backlog'>;

/** Most objects that are looked through. */
export const maxReferrers = 2000;

/** A text that names a collection. */
interface NamedText extends NamingText {
  /** Offsets of the slug. */
  readonly offsets: readonly number[];
}

/** An object that names a collection, as it was when it was looked through. */
export interface Namer {
  readonly object: ObjectKey;
  readonly state: ObjectState;
  readonly templates: readonly NamedText[];
  readonly texts: readonly NamedText[];
}

/** The objects that name a collection or source. */
export async function findNamers(deps: SlugUsesDeps, slug: string): Promise<Namer[]> {
  await deps.backlog.done();
  const namers: Namer[] = [];
  for (const object of await findReferrers(deps.reader, { kind: 'collection', key: slug }, maxReferrers)) {
    const kind = deps.registry.byName.get(object.kind);
    const state = await kind?.find(deps.reader, object.id);
    if (kind === undefined || state === undefined) continue;
    const templates = await templatesNaming(deps, kind, state, slug);
    namers.push({ object, state, templates, texts: textsNaming(kind, state, slug) });
  }
  return namers;
}

/** The places of a slug in objects, in the form of the API. */
export function usesIn(namers: readonly Namer[], slug: string): TemplateUse[] {
  return namers.flatMap(({ object, templates, texts }) =>
    [...templates, ...texts].flatMap(({ field, name = slug, source, offsets }) =>
      offsets.map((offset) => ({ ...object, name, ...positionAt(source, offset), field })),
    ),
  );
}

/** Writes another slug wherever it is certain what is meant. An object that was changed meanwhile is left as it is. */
export async function renameInNamers(
  change: Change,
  { registry }: Pick<SlugUsesDeps, 'registry'>,
  namers: readonly Namer[],
  slug: string,
  to: string,
): Promise<void> {
  for (const { object, state, templates, texts } of namers) {
    const kind = registry.byName.get(object.kind);
    const current = await kind?.find(change.tx, object.id);
    if (kind === undefined || current === undefined || updatedAt(current) !== updatedAt(state)) continue;
    const certain = texts.some(({ holds }) => holds !== 'address');
    const settings: unknown = certain
      ? kind.naming?.(state, (text) => replaced(withOffsets(text, slug), slug, to))
      : undefined;
    const fields = templates.map((text) => [text.field, replaced(text, slug, to)]);
    const body = { ...(settings instanceof Object ? settings : {}), ...Object.fromEntries(fields) };
    if (Object.keys(body).length > 0) await updateObject(change, kind, object.id, body);
  }
}

/** Places in settings and code of the objects that name a collection which may name one of these fields. */
export function fieldUsesIn(
  namers: readonly Namer[],
  deps: SlugUsesDeps,
  fields: readonly string[],
): TemplateUse[] {
  const uses: TemplateUse[] = [];
  for (const { object, state } of namers) {
    deps.registry.byName.get(object.kind)?.naming?.(state, (text) => {
      for (const field of fields) {
        const place = { ...object, name: text.name ?? text.field, field };
        for (const offset of wordsIn(text, field))
          uses.push({ ...place, ...positionAt(text.source, offset) });
      }
      return text.source;
    });
  }
  return uses;
}

async function templatesNaming(
  { pool }: Pick<SlugUsesDeps, 'pool'>,
  kind: Kind,
  state: ObjectState,
  slug: string,
): Promise<NamedText[]> {
  const found: NamedText[] = [];
  for (const { language, name, field, source } of kind.texts?.(state) ?? []) {
    if (language !== 'template') continue;
    const reads = await pool.request({ kind: 'collection-reads', name, source, slug });
    // The name stands behind its quotation mark.
    const literals = reads.map(({ offset }) => offset + 1).filter((at) => source.startsWith(slug, at));
    const offsets = [...literals, ...linksTo(source, slug)].sort((left, right) => left - right);
    if (offsets.length > 0) found.push({ field, name, source, holds: 'text', offsets });
  }
  return found;
}

function textsNaming(kind: Kind, state: ObjectState, slug: string): NamedText[] {
  const found: NamedText[] = [];
  kind.naming?.(state, (text) => {
    const named = withOffsets(text, slug);
    if (named.offsets.length > 0) found.push(named);
    return text.source;
  });
  return found;
}

function withOffsets(text: NamingText, slug: string): NamedText {
  const { source, holds } = text;
  const own = source === slug ? [0] : [];
  return { ...text, offsets: holds === 'slug' ? own : linksTo(source, slug) };
}

function linksTo(source: string, slug: string): number[] {
  return dataLinksIn(source).flatMap((link) => (link.slug === slug ? [link.offset] : []));
}

function replaced({ source, offsets, holds }: NamedText, slug: string, to: string): string {
  if (holds === 'address') return source;
  let text = '';
  let from = 0;
  for (const offset of offsets) {
    text += source.slice(from, offset) + to;
    from = offset + slug.length;
  }
  return text + source.slice(from);
}

/** Where a text may name a field: everywhere in code, in the placeholders of a setting. */
function wordsIn({ field, source, holds }: NamingText, word: string): number[] {
  if (holds === 'slug') return [];
  const isCode = field === 'code' || field === 'js' || field === 'content';
  const parts = isCode ? [{ index: 0, text: source }] : [...findTags(source, ['{{'])];
  const pattern = new RegExp(`(?<![\\w$])${word}(?![\\w$])`, 'g');
  return parts.flatMap(({ index, text }) => [...text.matchAll(pattern)].map((match) => index + match.index));
}

function updatedAt(state: ObjectState): unknown {
  return Reflect.get(state, 'updated_at');
}
