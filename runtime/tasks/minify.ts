import type { Message } from 'esbuild';

/**
 * The minified text; license comments stay. The text is unchanged if it has syntax errors, or, in CSS,
 * unbalanced brackets, strings or comments: a minifier closes them, and the result would not have the same
 * effect as the text of the author.
 */
export function minify(text: string, kind: 'css' | 'js'): Promise<string> {
  return withEsbuild(async ({ transform }) => {
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
      if (findSyntaxErrors(error) !== undefined) return text;
      throw error;
    }
  });
}

/**
 * Runs work with esbuild, which is a process of its own. It ends with the work, because assets change too
 * rarely to keep it running.
 */
export async function withEsbuild<T>(work: (esbuild: typeof import('esbuild')) => Promise<T>): Promise<T> {
  const esbuild = await import('esbuild');
  try {
    return await work(esbuild);
  } finally {
    await esbuild.stop();
  }
}

const unbalancedWarnings = /to go with|unterminated|end of file|bad string|to end URL|Unexpected "[)\]}]"/i;

/** Whether a warning about CSS says that a bracket, string or comment has no end. */
export function isUnbalanced(warning: Message): boolean {
  return warning.id === 'css-syntax-error' && unbalancedWarnings.test(warning.text);
}

/** Esbuild reports syntax errors as a list of errors; undefined for any other error, a failure of esbuild. */
export function findSyntaxErrors(error: unknown): readonly Message[] | undefined {
  const errors = error instanceof Error && 'errors' in error ? error.errors : undefined;
  // Type boundary: a failed build of esbuild carries a list of its messages.
  return Array.isArray(errors) && errors.length > 0 ? (errors as readonly Message[]) : undefined;
}
