import type { CheckedText } from '../../changes/text-analysis.ts';
import type { Snippet } from './model.ts';

/** The template of a snippet. */
export function toCheckedText({ name, content }: Pick<Snippet, 'name' | 'content'>): CheckedText {
  return { language: 'template', field: 'content', name, source: content };
}
