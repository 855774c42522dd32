import { t } from '../../../base/i18n/index.ts';
import { globalBlocks } from '../../../content/global-blocks.ts';
import { CreateDialog } from '../../../kit/form/create-dialog.tsx';
import { outermost } from '../model/tree.ts';
import { replaceByGlobal } from '../state/actions.ts';
import type { BlockEditing } from '../state/editing.ts';

/** Makes a global block of the chosen blocks, and puts it in their place. */
export function MakeGlobal({ editing, onClose }: { readonly editing: BlockEditing; onClose(): void }) {
  return (
    <CreateDialog
      title={t('blocks.makeGlobal')}
      submit={t('globals.create')}
      initial={{ name: '' }}
      intro={<p className="line">{t('blocks.makeGlobalHelp')}</p>}
      fields={['name']}
      create={async ({ name }) => {
        const blocks = outermost(editing.tree, new Set(editing.selection.ids));
        replaceByGlobal(editing, await globalBlocks.create({ name, blocks }));
      }}
      isReady={({ name }) => name.trim() !== ''}
      onClose={onClose}
    />
  );
}
