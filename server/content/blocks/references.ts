import type { BlockParam } from '../../../runtime/blocks/schema.ts';
import { type BlockTree, blocksIn, isReference } from '../../../runtime/blocks/tree.ts';
import { listTargets, type TargetField } from '../../../runtime/fields/targets.ts';
import { fieldTypes } from '../../../runtime/fields/types.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { Reference } from '../kinds/kind.ts';
import { mediaReferencesIn } from '../kinds/references.ts';
import { TreeRuleLookup } from './tree-rule-lookup.ts';

/** What a tree refers to: block types, global blocks, files and entries, each once. */
export async function collectReferences(db: ContentDb, tree: BlockTree): Promise<Reference[]> {
  const surroundings = new TreeRuleLookup(db);
  const found = new Map<string, Reference>();
  const add = (reference: Reference) => found.set(`${reference.kind} ${reference.key}`, reference);
  for (const [, block] of blocksIn(tree)) {
    if (!isReference(block)) {
      add({ kind: 'snippet', key: block.type });
      const schema = await surroundings.type(block.type);
      for (const reference of referencesIn(block.params, schema?.params ?? [])) add(reference);
      continue;
    }
    add({ kind: 'global_block', key: String(block.global) });
    const { overrides } = block;
    if (overrides === undefined) continue;
    for (const [, inner] of blocksIn((await surroundings.global(block.global))?.tree ?? [])) {
      const values =
        isReference(inner) || !Object.hasOwn(overrides, inner.id) ? undefined : overrides[inner.id];
      if (isReference(inner) || values === undefined) continue;
      const schema = await surroundings.type(inner.type);
      for (const reference of referencesIn(values, schema?.params ?? [])) add(reference);
    }
  }
  return [...found.values()];
}

/** What a block type refers to: the collections of its parameters, and what their default values name. */
export function referencesOfType(params: readonly BlockParam[]): Reference[] {
  const collections = params
    .flatMap((param) => [param, ...(param.fields ?? [])])
    .flatMap(({ type, collection }) => (fieldTypes[type].refersTo === 'item' ? (collection ?? []) : []));
  const defaults = Object.fromEntries(params.map(({ name, default: value }) => [name, value]));
  return [
    ...collections.map((id) => ({ kind: 'collection', key: String(id) })),
    ...referencesIn(defaults, params),
  ];
}

function* referencesIn(
  values: Readonly<Record<string, unknown>>,
  params: readonly BlockParam[],
): Generator<Reference> {
  for (const param of params)
    if (Object.hasOwn(values, param.name)) yield* listValueReferences(values[param.name], param);
}

/** What a stored value refers to: what it leads to by ID, and the files that its texts name by their addresses. */
export function* listValueReferences(value: unknown, field: TargetField): Generator<Reference> {
  for (const { kind, id } of listTargets(value, field)) yield { kind, key: String(id) };
  for (const text of textsIn(value)) yield* mediaReferencesIn(text);
}

/** The texts in a value, in its parts too. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) yield* textsIn(part);
}
