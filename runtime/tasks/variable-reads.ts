import { findCollectionReads, findVariableReads } from '../../compiler/index.ts';
import { TemplateError } from '../engine.ts';
import type {
  CollectionReadsTask,
  NamePosition,
  ReadPosition,
  VariableReadsTask,
} from './messages/checks.ts';

/** Where a template reads a variable; nowhere if it does not parse. */
export async function variableReadsTask({
  source,
  name,
  variable,
}: VariableReadsTask): Promise<readonly ReadPosition[]> {
  return noneIfBroken(() => findVariableReads(source, name, variable));
}

/** Where a template names a collection or source; nowhere if it does not parse. */
export async function collectionReadsTask({
  source,
  name,
  slug,
}: CollectionReadsTask): Promise<readonly NamePosition[]> {
  return noneIfBroken(() => findCollectionReads(source, name, slug));
}

function noneIfBroken<Found>(find: () => readonly Found[]): readonly Found[] {
  try {
    return find();
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
  }
}
