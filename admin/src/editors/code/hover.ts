/** What the word under the pointer is, and for a snippet what uses it. Shift+F12 shows the same at the caret. */
import { type Extension, Prec, StateEffect, StateField } from '@codemirror/state';
import {
  closeHoverTooltips,
  type EditorView,
  hasHoverTooltips,
  hoverTooltip,
  keymap,
  showTooltip,
  type Tooltip,
} from '@codemirror/view';
import { toRecord } from '../../api/failure.ts';
import { queryClient } from '../../api/query-client.ts';
import { t } from '../../base/i18n/index.ts';
import { snippetResource } from '../../content/code/code-kinds.ts';
import { usageQuery } from '../../content/usage.ts';
import type { TemplateFacts } from './completion.ts';
import { snippetNameAt } from './snippet-name.ts';
import { wordAt } from './word-at.ts';
import { findExplanation } from './words.ts';

interface Explained {
  readonly from: number;
  readonly to: number;
  /** The name, or how it is written. */
  readonly title: string;
  readonly lines: readonly string[];
}

/** Most users of a snippet that are named. */
const maxUsers = 6;
/** Longest example value, in characters. */
const maxExample = 120;

/** @param facts what the template can use; when they are refused, variables have no example */
export function hoverTexts(facts: () => Promise<TemplateFacts>): Extension {
  const explain = (view: EditorView, position: number) =>
    explainedAt(view, position, facts).catch(() => null);
  return [
    hoverTooltip(async (view, position) => {
      // One explanation at a time.
      if (view.state.field(shownAtCaret) !== null) return null;
      const explained = await explain(view, position);
      return explained === null ? null : tooltipOf(explained, explained.from);
    }),
    shownAtCaret,
    Prec.high(
      keymap.of([
        {
          key: 'Shift-F12',
          run: (view) => {
            const { head } = view.state.selection.main;
            void explain(view, head).then((explained) =>
              view.dispatch({
                effects: [
                  showAtCaret.of(explained === null ? null : tooltipOf(explained, head)),
                  closeHoverTooltips,
                ],
              }),
            );
            return true;
          },
        },
        { key: 'Escape', run: close },
      ]),
    ),
  ];
}

const showAtCaret = StateEffect.define<Tooltip | null>();

const shownAtCaret = StateField.define<Tooltip | null>({
  create: () => null,
  update(shown, transaction) {
    for (const effect of transaction.effects) if (effect.is(showAtCaret)) return effect.value;
    return transaction.docChanged || transaction.selection !== undefined ? null : shown;
  },
  provide: (field) => showTooltip.from(field),
});

/** Escape closes what is shown, wherever it is. */
function close(view: EditorView): boolean {
  if (view.state.field(shownAtCaret) === null && !hasHoverTooltips(view.state)) return false;
  view.dispatch({ effects: [showAtCaret.of(null), closeHoverTooltips] });
  return true;
}

async function explainedAt(
  { state }: EditorView,
  position: number,
  facts: () => Promise<TemplateFacts>,
): Promise<Explained | null> {
  const line = state.doc.lineAt(position);
  const word = wordAt(state.doc.toString(), position);
  if (word?.kind === 'tags') {
    const { from, to } = word;
    const found = await findExplanation('tags', word.name);
    return found === undefined ? null : { from, to, title: found.form, lines: [found.text] };
  }
  const snippet = snippetNameAt(line.text, position - line.from);
  if (snippet !== undefined) {
    const told = await explainSnippet(snippet, position);
    if (told !== undefined) return told;
    // A bare word may be a variable that holds the name.
    const isQuoted = ['"', "'"].some((quote) => line.text.includes(`${quote}${snippet}${quote}`));
    if (isQuoted)
      return {
        ...{ from: position, to: position, title: snippet },
        lines: [t('code.noSnippet', { name: snippet })],
      };
  }
  if (word === undefined) return null;
  const { kind, name, from, to } = word;
  const found = await findExplanation(kind, kind === 'variables' ? (name.split('.')[0] ?? name) : name);
  const example =
    kind === 'variables' ? await facts().then((known) => exampleOf(name, known), noExample) : undefined;
  const lines = [found?.text, example === undefined ? undefined : t('code.example', { value: example })];
  const told = lines.filter((line) => line !== undefined);
  const title = kind === 'variables' ? name : (found?.form ?? name);
  return told.length === 0 ? null : { from, to, title, lines: told };
}

/** Undefined if there is no such snippet. */
async function explainSnippet(name: string, position: number): Promise<Explained | undefined> {
  const snippets = await queryClient.fetchQuery({ ...snippetResource.list(), staleTime: 30_000 });
  const found = snippets.find((snippet) => snippet.name === name);
  if (found === undefined) return undefined;
  const { usage } = await queryClient.fetchQuery({ ...usageQuery('snippet', found.id), staleTime: 30_000 });
  const users = usage.slice(0, maxUsers).map(({ title }) => title);
  const more = usage.length > maxUsers ? [t('page.andMore', { count: usage.length - maxUsers })] : [];
  const described = found.description === '' ? [] : [found.description];
  return {
    ...{ from: position, to: position, title: name },
    lines: [...described, t('code.usedBy', { count: usage.length }), ...users, ...more, t('code.openBy')],
  };
}

/** The value of a variable in the page at hand, as JSON; undefined if it has none. */
function exampleOf(path: string, { variables }: TemplateFacts): string | undefined {
  let value: unknown = variables;
  for (const name of path.split('.')) {
    if (!Object.hasOwn(toRecord(value), name)) return undefined;
    value = toRecord(value)[name];
  }
  const written = JSON.stringify(value) ?? '';
  return written.length > maxExample ? `${written.slice(0, maxExample)}…` : written;
}

function noExample(): undefined {}

function tooltipOf({ title, lines, to }: Explained, position: number): Tooltip {
  return {
    pos: position,
    end: Math.max(to, position),
    above: false,
    create: () => {
      const dom = document.createElement('div');
      dom.className = 'cm-explained';
      dom.setAttribute('role', 'status');
      const head = document.createElement('code');
      head.textContent = title;
      dom.append(head, ...lines.map(paragraph));
      return { dom };
    },
  };
}

function paragraph(line: string): HTMLElement {
  const element = document.createElement('p');
  element.textContent = line;
  return element;
}
