import type { Location, Message } from 'esbuild';
import { findMissingAwaits, type MissingAwait } from './find-missing-awaits.ts';
import type { CheckCodeTask, CodeWarning } from './messages/checks.ts';
import { findSyntaxErrors, isUnbalanced, withEsbuild } from './minify.ts';

/** Most warnings about one text. */
const maxWarnings = 100;

/**
 * Parses code and reports what is wrong: in CSS and JS what browsers cannot read, in that of workflows calls without
 * `await`. In CSS only a text that is not balanced (a bracket, string or comment without its end) cannot be used; of
 * anything else browsers ignore the faulty rule alone.
 */
export function checkCode({ language, name, source }: CheckCodeTask): Promise<readonly CodeWarning[]> {
  if (source.trim() === '') return Promise.resolve([]);
  if (language === 'function')
    return Promise.resolve(findMissingAwaits(source).slice(0, maxWarnings).map(warningOfCall));
  return withEsbuild(async ({ transform }) => {
    try {
      const { warnings } = await transform(source, {
        loader: language,
        logLevel: 'silent',
        logLimit: maxWarnings,
      });
      return warnings.filter(isSyntax).map((message) => warningOf(name, message));
    } catch (error) {
      const errors = findSyntaxErrors(error);
      if (errors === undefined) throw error;
      return errors.slice(0, maxWarnings).map((message) => warningOf(name, message, 'asset.syntax'));
    }
  });
}

function warningOfCall({ call, line, column }: MissingAwait): CodeWarning {
  const error = `line ${line}, column ${column}: ${call}() gives a promise, write await ${call}(…)`;
  return { code: 'workflow.awaitMissing', error, params: { line, column, call } };
}

/** Other warnings of esbuild are about style and about bundling. */
function isSyntax({ id }: Message): boolean {
  return id === 'css-syntax-error';
}

function warningOf(
  name: string,
  message: Message,
  code: CodeWarning['code'] = isUnbalanced(message) ? 'asset.syntax' : 'asset.ignored',
): CodeWarning {
  const { line, column } = positionOf(message.location);
  const text = message.text.slice(0, 1000);
  return { code, error: `${name}:${line}:${column}: ${text}`, params: { name, line, column, message: text } };
}

/** Lines and columns from 1. Esbuild counts columns from 0, in bytes of UTF-8. */
function positionOf(location: Location | null): { line: number; column: number } {
  if (location === null) return { line: 1, column: 1 };
  const { line, column, lineText } = location;
  const before = Buffer.from(lineText).subarray(0, column).toString();
  return { line, column: before.length + 1 };
}
