/** From a template to the snippet that it names: F12, or a click with Ctrl. */
import { EditorView, keymap } from '@codemirror/view';
import { queryClient } from '../../api/query-client.ts';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { snippetResource } from '../../content/code/code-kinds.ts';
import { showToast } from '../../ui/messages/toasts.ts';
import { snippetNameAt } from './snippet-name.ts';

/** Opens the snippet whose name stands at a position. False if there is no name. */
function openDefinition({ state }: EditorView, position: number): boolean {
  const line = state.doc.lineAt(position);
  const name = snippetNameAt(line.text, position - line.from);
  if (name === undefined) return false;
  void openSnippet(name);
  return true;
}

async function openSnippet(name: string): Promise<void> {
  const snippets = await queryClient.fetchQuery({ ...snippetResource.list(), staleTime: 30_000 });
  const found = snippets.find((snippet) => snippet.name === name);
  if (found === undefined) showToast({ tone: 'failed', message: t('code.noSnippet', { name }) });
  else goTo(paths.snippet(found.id));
}

export const definitions = [
  keymap.of([{ key: 'F12', run: (view) => openDefinition(view, view.state.selection.main.head) }]),
  EditorView.domEventHandlers({
    mousedown: (event, view) => {
      if (!event.ctrlKey && !event.metaKey) return false;
      const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
      return position !== null && openDefinition(view, position);
    },
  }),
];
