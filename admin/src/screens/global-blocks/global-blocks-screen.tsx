import { useMediaQuery } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../base/router/paths.ts';
import { useCommands } from '../../commands/registry.ts';
import { useDraftIds } from '../../content/draft-names.ts';
import { type GlobalBlock, globalBlocks } from '../../content/global-blocks.ts';
import { ListAndDetail } from '../../kit/list/list-and-detail.tsx';
import { ListEntry, ListTag } from '../../kit/list/list-entry.tsx';
import { ListPane } from '../../kit/list/list-pane.tsx';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { VirtualRows } from '../../ui/rows/virtual-rows.tsx';
import { GlobalEditor } from './global-editor.tsx';
import { NewGlobal } from './new-global.tsx';

/** Blocks that stand on several pages: a list, beside it the editor. */
export function GlobalBlocksScreen() {
  const { t } = useTranslation();
  const params: { readonly id?: string } = useParams({ strict: false });
  const current = params.id === undefined ? undefined : Number(params.id);
  const [isNew, setNew] = useState(false);
  const hasRoom = useMediaQuery('(min-width: 1600px)', true, { getInitialValueInEffect: false });
  useCommands([{ id: 'global.new', label: 'globals.new', icon: 'plus', run: () => setNew(true) }]);
  return (
    <>
      <ListAndDetail
        id="global-blocks"
        label={t('code.width')}
        list={<GlobalList current={current} onNew={() => setNew(true)} />}
        isOpen={current !== undefined}
        isAlone={current !== undefined && !hasRoom}
      >
        {current === undefined ? (
          <>
            <h1 className="visually-hidden">{t('nav.globals')}</h1>
            <EmptyState>{t('globals.choose')}</EmptyState>
          </>
        ) : (
          <GlobalEditor key={current} id={current} />
        )}
      </ListAndDetail>
      {isNew && <NewGlobal onClose={() => setNew(false)} />}
    </>
  );
}

function GlobalList({ current, onNew }: { readonly current: number | undefined; onNew(): void }) {
  const { t } = useTranslation();
  const { data: globals } = globalBlocks.useList();
  const unsaved = useDraftIds('global');
  const [query, setQuery] = useState('');
  const shown = (globals ?? []).filter(({ name, folder, description }) =>
    `${folder} ${name} ${description}`.toLowerCase().includes(query.toLowerCase()),
  );
  return (
    <ListPane
      title={t('nav.globals')}
      count={globals?.length}
      add={{ label: t('globals.new'), run: onNew }}
      filter={t('globals.filter')}
      query={query}
      onQuery={setQuery}
    >
      {globals !== undefined && shown.length === 0 && (
        <EmptyState>{t(globals.length === 0 ? 'globals.none' : 'tree.noHit')}</EmptyState>
      )}
      {shown.length > 0 && (
        <VirtualRows
          label={t('nav.globals')}
          rows={shown}
          rowHeight={32}
          initialIndex={shown.findIndex(({ id }) => id === current)}
          isPlain
          keyOf={({ id }) => id}
          render={({ id, name, folder }: GlobalBlock) => (
            <ListEntry
              href={paths.globalBlock(id)}
              isCurrent={id === current}
              folder={folder === '' ? '' : `${folder}/`}
              name={name}
            >
              {unsaved.has(id) && <ListTag tone="ochre">{t('status.unsaved')}</ListTag>}
            </ListEntry>
          )}
        />
      )}
    </ListPane>
  );
}
