import type { Message } from 'esbuild';

/**
 * The text without what browsers do not need; license comments stay. Unchanged if it has syntax errors, or, in
 * CSS, unbalanced brackets, strings or comments (open points 12, "CSS minify"): a minifier closes them, and what
 * is then applied would differ from what the author's own text applies.
 */
export async function minify(text: string, kind: 'css' | 'js'): Promise<string> {
  const { stop, transform } = await import('esbuild');
  try {
    const { code, warnings } = await transform(text, {
      loader: kind,
      minify: true,
      legalComments: 'inline',
      charset: 'utf8',
      logLevel: 'silent',
    });
    return kind === 'css' && warnings.some(isUnbalanced) ? text : code;
  } catch (error) {
    if (isSyntaxError(error)) return text;
    throw error;
  } finally {
    // The minifier is a process of its own; assets change too seldom to keep it.
    await stop();
  }
}

const UNBALANCED = /to go with|unterminated|end of file|bad string|to end URL|Unexpected "[)\]}]"/i;

function isUnbalanced(warning: Message): boolean {
  return warning.id === 'css-syntax-error' && UNBALANCED.test(warning.text);
}

/** Esbuild reports what is wrong with a text as a list of errors; anything else is a failure of its own. */
function isSyntaxError(error: unknown): boolean {
  return (
    error instanceof Error && 'errors' in error && Array.isArray(error.errors) && error.errors.length > 0
  );
}
