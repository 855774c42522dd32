import { type Diagnostic, forEachDiagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import type { EditorState, Extension, Text, TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Warning } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';

/** Room for the marks of findings. */
export const findingsGutter: Extension = lintGutter();

/** Shows findings of the last save in a text: underlined, with the suggested name as one click. */
export function showFindings(state: EditorState, findings: readonly Warning[]): TransactionSpec {
  return setDiagnostics(
    state,
    findings.flatMap((finding) => diagnosticOf(state.doc, finding)),
  );
}

function diagnosticOf(doc: Text, { level, error, params }: Warning): Diagnostic[] {
  const line = Number(params['line']);
  if (!(line >= 1 && line <= doc.lines)) return [];
  const { from: start, to: end, text: content } = doc.line(line);
  const from = Math.min(end, start + Math.max(0, (Number(params['column']) || 1) - 1));
  const name = typeof params['name'] === 'string' ? params['name'] : '';
  const at = name === '' ? -1 : content.indexOf(name, from - start);
  const nameFrom = at < 0 ? from : start + at;
  const nameTo =
    at < 0 ? Math.min(end, from + lengthOfWord(content.slice(from - start))) : nameFrom + name.length;
  const suggestion = params['suggestion'];
  return [
    {
      from: nameFrom,
      to: Math.max(nameFrom, nameTo),
      severity: level,
      message: messageOf(error),
      actions:
        typeof suggestion === 'string' && at >= 0
          ? [
              {
                name: t('code.use', { name: suggestion }),
                apply: (view, from_, to) =>
                  view.dispatch({ changes: { from: from_, to, insert: suggestion } }),
              },
            ]
          : [],
    },
  ];
}

/** The text without the place, which the mark shows. */
function messageOf(error: string): string {
  return error.replace(/^.*?:\d+:\d+: /, '');
}

function lengthOfWord(rest: string): number {
  return /^\S+/.exec(rest)?.[0].length ?? 1;
}

/** Does what the finding at the caret suggests. False if there is none. */
export function mendAtCaret(view: EditorView): boolean {
  const { head } = view.state.selection.main;
  let isMended = false;
  forEachDiagnostic(view.state, ({ actions = [] }, from, to) => {
    const [action] = actions;
    if (isMended || action === undefined || head < from || head > to) return;
    isMended = true;
    action.apply(view, from, to);
  });
  return isMended;
}
