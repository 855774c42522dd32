import { useSyncExternalStore } from 'react';
import { useSession } from '../../api/session/session.ts';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { createDeletion } from '../../commands/command.ts';
import { useCommands } from '../../commands/registry.ts';
import { EditorFrame } from '../../editing/frame/editor-frame.tsx';
import { type Editor, useEditor } from '../../editing/use-editor.ts';
import { confirmDeletion } from '../../kit/delete/confirm-deletion.tsx';
import { SplitPane } from '../../ui/layout/split-pane.tsx';
import { penAddresses } from './addresses.ts';
import { penCommands } from './pen-commands.ts';
import { PenResult } from './pen-result.tsx';
import { PenTabs } from './pen-tabs.tsx';
import { type EditedPen, type Pen, pens } from './queries.ts';

/** A pen: its texts, beside them what they make. */
export function PenEditor({ pen }: { readonly pen: Pen }) {
  const { id, uuid } = pen;
  const editor = useEditor<EditedPen>({
    kind: 'pen',
    id,
    value: pen,
    save: { id: 'pen.save', label: 'pens.save' },
    requests: (_store, isStrict) => ({
      send: (fields) => pens.update(uuid, fields, isStrict),
      load: () => pens.load(uuid),
    }),
  });
  return editor === undefined ? null : <OpenPen editor={editor} />;
}

function OpenPen({ editor }: { readonly editor: Editor<EditedPen> }) {
  const { store } = editor;
  const { uuid, title } = useSyncExternalStore(store.subscribe, () => store.base);
  const { data: session } = useSession();
  const addresses = penAddresses(uuid, session?.remote?.url);
  const commands = penCommands(addresses);
  const more = [commands.openResult, commands.openView, commands.copyAddress];
  useCommands(more);
  return (
    <EditorFrame
      editor={editor}
      title={title || t('pens.untitled')}
      back={{ name: t('nav.pens'), path: paths.pens() }}
      gone={t('code.gone')}
      commands={more}
      deletion={createDeletion('pens.delete', 'pens.delete', () =>
        confirmDeletion({
          texts: 'pens',
          names: { name: title },
          run: async () => {
            await pens.remove(uuid);
            goTo(paths.pens());
          },
        }),
      )}
    >
      <div className="fill">
        <SplitPane
          id="pen"
          label={t('preview.width')}
          widths={[280, 560, 1400]}
          first={<PenTabs store={store} commands={commands} address={addresses.shared} hasResult={false} />}
          narrow={<PenTabs store={store} commands={commands} address={addresses.shared} hasResult />}
          restMin={320}
        >
          <PenResult store={store} commands={commands} />
        </SplitPane>
      </div>
    </EditorFrame>
  );
}
