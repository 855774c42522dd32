import type { Message } from 'esbuild';

/**
 * The minified text; license comments stay. The text is unchanged if it has syntax errors, or, in CSS,
 * unbalanced brackets, strings or comments: a minifier closes them, and the result would not have the same
 * effect as the text of the author.
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
    // The minifier is a process of its own; assets change too rarely to keep it running.
    await stop();
  }
}

const unbalancedWarnings = /to go with|unterminated|end of file|bad string|to end URL|Unexpected "[)\]}]"/i;

function isUnbalanced(warning: Message): boolean {
  return warning.id === 'css-syntax-error' && unbalancedWarnings.test(warning.text);
}

/** Esbuild reports syntax errors as a list of errors; any other error is a failure of esbuild. */
function isSyntaxError(error: unknown): boolean {
  return (
    error instanceof Error && 'errors' in error && Array.isArray(error.errors) && error.errors.length > 0
  );
}
