import type { CheckedText } from '../../changes/text-analysis.ts';
import type { Snippet } from './model.ts';

/** The template of a snippet. */
export function toCheckedText({
  name,
  content,
  schema,
}: Pick<Snippet, 'name' | 'content' | 'schema'>): CheckedText {
  const text = { language: 'template', field: 'content', name, source: content } as const;
  return schema?.['block'] === true ? { ...text, isBlockType: true } : text;
}
