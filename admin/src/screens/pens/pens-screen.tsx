import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { useCommands } from '../../commands/registry.ts';
import { useDraftIds } from '../../content/draft-names.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { FormText } from '../../kit/form/form-text.tsx';
import { useSending } from '../../kit/form/sending.ts';
import { ListAndDetail } from '../../kit/list/list-and-detail.tsx';
import { ListEntry, ListTag } from '../../kit/list/list-entry.tsx';
import { ListPane } from '../../kit/list/list-pane.tsx';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { VirtualRows } from '../../ui/rows/virtual-rows.tsx';
import { PenEditor } from './pen-editor.tsx';
import { type Pen, pens } from './queries.ts';

/** Playgrounds of HTML, CSS and JS: a list, beside it the editor. */
export function PensScreen() {
  const { t } = useTranslation();
  const { ref }: { readonly ref?: string } = useParams({ strict: false });
  const { data: allPens } = pens.useList();
  const [isNew, setNew] = useState(false);
  useCommands([{ id: 'pen.new', label: 'pens.new', icon: 'plus', run: () => setNew(true) }]);
  // Whoever knows the ID alone finds the pen too.
  const open = allPens?.find(({ uuid, id }) => uuid === ref || String(id) === ref);
  return (
    <>
      <ListAndDetail
        id="pens"
        label={t('code.width')}
        isOpen={ref !== undefined}
        list={<PenList pens={allPens} current={open} onNew={() => setNew(true)} />}
      >
        {open === undefined ? (
          <>
            <h1 className="visually-hidden">{t('nav.pens')}</h1>
            <EmptyState>
              {t(ref === undefined || allPens === undefined ? 'pens.choose' : 'errors.common.notFound')}
            </EmptyState>
          </>
        ) : (
          <PenEditor key={open.uuid} pen={open} />
        )}
      </ListAndDetail>
      {isNew && <NewPen onClose={() => setNew(false)} />}
    </>
  );
}

interface PenListProps {
  readonly pens: readonly Pen[] | undefined;
  readonly current: Pen | undefined;
  onNew(): void;
}

function PenList({ pens, current, onNew }: PenListProps) {
  const { t } = useTranslation();
  const unsaved = useDraftIds('pen');
  const [query, setQuery] = useState('');
  const shown = (pens ?? []).filter(({ title }) => title.toLowerCase().includes(query.toLowerCase()));
  return (
    <ListPane
      title={t('nav.pens')}
      count={pens?.length}
      add={{ label: t('pens.new'), run: onNew }}
      filter={t('code.filter')}
      query={query}
      onQuery={setQuery}
    >
      {pens !== undefined && shown.length === 0 && (
        <EmptyState>{t(pens.length === 0 ? 'pens.none' : 'tree.noHit')}</EmptyState>
      )}
      {shown.length > 0 && (
        <VirtualRows
          label={t('nav.pens')}
          rows={shown}
          rowHeight={32}
          isPlain
          keyOf={({ id }) => id}
          render={(pen) => (
            <ListEntry
              href={paths.pen(pen.uuid)}
              isCurrent={pen.id === current?.id}
              name={pen.title || t('pens.untitled')}
            >
              {unsaved.has(pen.id) && <ListTag tone="ochre">{t('status.unsaved')}</ListTag>}
              {pen.public && <ListTag>{t('pens.isPublic')}</ListTag>}
            </ListEntry>
          )}
        />
      )}
    </ListPane>
  );
}

function NewPen({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const [title, setTitle] = useState('');
  const sending = useSending(async () => {
    const { uuid } = await pens.create({ title });
    onClose();
    goTo(paths.pen(uuid));
  });
  return (
    <FormDialog
      title={t('pens.new')}
      submit={t('pens.create')}
      sending={sending}
      isIncomplete={title.trim() === ''}
      onClose={onClose}
    >
      <FormText
        isFirst
        label={t('fields.title')}
        value={title}
        error={sending.faults['title']}
        onChange={setTitle}
      />
    </FormDialog>
  );
}
