import { FilterError } from '../filters/filter.ts';
import { markdownToHtml } from '../markdown/index.ts';
import type { MarkdownResult, MarkdownTask } from './messages/documents.ts';

/** A text as the filter `markdown` shows it, or why it cannot be shown. */
export async function markdownTask({ text }: MarkdownTask): Promise<MarkdownResult> {
  try {
    return { kind: 'html', html: markdownToHtml(text, 'author') };
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    return { kind: 'refused', reason: error.message };
  }
}
