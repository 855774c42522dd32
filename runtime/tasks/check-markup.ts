import { FilterError } from '../filters/filter.ts';
import { markdownToUnfilteredHtml } from '../markdown/index.ts';
import type { CheckMarkupTask, MarkupValue, UnsafeMarkup } from './messages/checks.ts';

/** Looks for what could run code in values of people who may not write code. */
export async function checkMarkup({ values }: CheckMarkupTask): Promise<readonly UnsafeMarkup[]> {
  // Most processes never need the parser.
  const { findUnsafeHtml } = await import('../markup/unsafe-html.ts');
  return values.flatMap((value) => {
    const found = [...new Set(listHtml(value).flatMap(findUnsafeHtml))];
    return found.length === 0 ? [] : [{ field: value.field, found }];
  });
}

/** The HTML that a value becomes. Markdown that cannot be shown is read as it is. */
function listHtml({ type, text }: MarkupValue): string[] {
  if (type === 'html') return [text];
  try {
    return markdownToUnfilteredHtml(text);
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    return [text];
  }
}
