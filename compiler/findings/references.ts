/** Finds snippets and assets that a template names and that do not exist. */
import { splitName } from '../../grammar/names.ts';
import { asQuestion, nearest } from '../../grammar/suggest.ts';
import { type CheckedTemplate, withSuggestion } from './report.ts';

export function reportReferences({ facts, world, report }: CheckedTemplate): void {
  for (const { name, word, offset } of facts.dependencies) {
    // A bare word may be a variable that holds the name; `variables.ts` knows where it is none.
    if (name !== null && !word) reportSnippet(name, offset, { world, report });
  }
  for (const { id, offset } of facts.assets) {
    if (world.hasAsset?.(id) !== false) continue;
    report(offset, 'template.unknownAsset', () => ({ reason: `there is no asset ${id}`, params: { id } }));
  }
}

/** Reports a snippet that does not exist. @param offset of the tag that names it */
export function reportSnippet(
  name: string,
  offset: number,
  { world, report }: Pick<CheckedTemplate, 'world' | 'report'>,
): void {
  const { template } = splitName(name);
  if (world.hasSnippet(template)) return;
  report(offset, 'template.unknownSnippet', () => {
    const suggestion = nearest(template, world.snippetNames?.() ?? []);
    const reason = `there is no snippet "${name}"${asQuestion(suggestion)}`;
    return { reason, params: withSuggestion({ name }, suggestion) };
  });
}
