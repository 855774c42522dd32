import { useSyncExternalStore } from 'react';
import { t } from '../../../../base/i18n/index.ts';
import { BlockEditor } from '../../../../editors/blocks/block-editor.tsx';
import { ForeignLink } from '../../../../editors/blocks/foreign-link.tsx';
import type { BlockFacts } from '../../../../editors/blocks/model/rules.ts';
import { toBlockTree } from '../../../../editors/blocks/model/tree.ts';
import { useBlockFacts } from '../../../../editors/blocks/state/facts.ts';
import { useBlockAddress } from '../../../../editors/blocks/state/use-block-address.ts';
import { useBlockEditing, useTreeFault } from '../../../../editors/blocks/state/use-block-editing.ts';
import { useContentVersion } from '../../../../editors/preview/content-version.ts';
import { KeepUndo } from '../../../../ui/messages/keep-undo.tsx';
import type { TabProps } from '../../store/page-store.ts';
import { useUnsaved } from '../../store/unsaved.ts';
import { hasWords, pickedRegion, useRegionLabels } from '../../store/words.ts';
import { PageFields } from './fields.tsx';
import { WordsForm } from './words-form.tsx';

/** The blocks of a page in the page. */
export function BlocksTab({ store }: TabProps) {
  const facts = useBlockFacts();
  return facts === undefined ? null : <PageBlocks store={store} facts={facts} />;
}

function PageBlocks({ store, facts }: TabProps & { readonly facts: BlockFacts }) {
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const body = useUnsaved(store);
  const version = useContentVersion() + base.updated_at;
  const editing = useBlockEditing(store, 'blocks', facts);
  const fault = useTreeFault(store, () => toBlockTree(store.get('blocks')));
  useBlockAddress(editing);
  const regions = useRegionLabels(base);
  const plan = { pageId: base.id, path: base.path, origin: 'page.blocks', regions, body, version };
  return (
    <BlockEditor
      editing={editing}
      plan={plan}
      title={base.title}
      fault={fault}
      onPickRegion={(name) => pickedRegion.set({ store, name })}
      foreign={(origin) => <ForeignLink origin={origin} />}
    >
      <KeepUndo>
        <PageFields store={store} layout={['title']} />
      </KeepUndo>
      <p className="quiet line">{t('blocks.choose')}</p>
      {hasWords(base) && <WordsForm store={store} />}
    </BlockEditor>
  );
}
