import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommands } from '../../commands/registry.ts';
import type { CodeKind, CodeObject } from '../../content/code-object.ts';
import { useDraftIds } from '../../content/draft-names.ts';
import { ListAndDetail } from '../../kit/list/list-and-detail.tsx';
import { ListEntry, ListTag } from '../../kit/list/list-entry.tsx';
import { ListPane } from '../../kit/list/list-pane.tsx';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { VirtualRows } from '../../ui/rows/virtual-rows.tsx';
import { CodeObjectEditor } from './code-object-editor.tsx';
import { NewObject } from './new-object.tsx';

/** Objects that are code: a list by folder and name, beside it the editor. */
export function CodeScreen({ kind }: { readonly kind: CodeKind }) {
  const { t } = useTranslation();
  const params: { readonly id?: string } = useParams({ strict: false });
  const current = params.id === undefined ? undefined : Number(params.id);
  const [isNew, setNew] = useState(false);
  useCommands([
    { id: `${kind.name}.new`, label: `code.${kind.name}.new`, icon: 'plus', run: () => setNew(true) },
  ]);
  return (
    <>
      <ListAndDetail
        id={kind.name}
        label={t('code.width')}
        list={<ObjectList kind={kind} current={current} onNew={() => setNew(true)} />}
        isOpen={current !== undefined}
      >
        {current === undefined ? (
          <>
            <h1 className="visually-hidden">{t(`code.${kind.name}.title`)}</h1>
            <EmptyState>{t(`code.${kind.name}.choose`)}</EmptyState>
          </>
        ) : (
          <CodeObjectEditor key={`${kind.name} ${current}`} kind={kind} id={current} />
        )}
      </ListAndDetail>
      {isNew && <NewObject kind={kind} onClose={() => setNew(false)} />}
    </>
  );
}

type Entry = Omit<CodeObject, 'content'>;

interface ObjectListProps {
  readonly kind: CodeKind;
  readonly current: number | undefined;
  onNew(): void;
}

function ObjectList({ kind, current, onNew }: ObjectListProps) {
  const { t } = useTranslation();
  const { data: objects } = kind.resource.useList();
  const unsaved = useDraftIds(kind.name);
  const [query, setQuery] = useState('');
  const shown = (objects ?? [])
    .filter(({ name, folder }) => `${folder} ${name}`.toLowerCase().includes(query.toLowerCase()))
    .toSorted((left, right) => nameIn(left).localeCompare(nameIn(right)));
  return (
    <ListPane
      title={t(`code.${kind.name}.title`)}
      count={objects?.length}
      add={{ label: t(`code.${kind.name}.new`), run: onNew }}
      filter={t('code.filter')}
      query={query}
      onQuery={setQuery}
    >
      {objects !== undefined && shown.length === 0 && (
        <EmptyState>{t(objects.length === 0 ? `code.${kind.name}.none` : 'tree.noHit')}</EmptyState>
      )}
      {shown.length > 0 && (
        <VirtualRows
          label={t(`code.${kind.name}.title`)}
          rows={shown}
          rowHeight={32}
          initialIndex={shown.findIndex(({ id }) => id === current)}
          isPlain
          keyOf={({ id }) => id}
          render={(object) => (
            <ListEntry
              href={kind.path(object.id)}
              isCurrent={object.id === current}
              folder={folderOf(object)}
              name={baseName(object)}
            >
              {object.kind !== undefined && <ListTag>{object.kind}</ListTag>}
              {unsaved.has(object.id) && <ListTag tone="ochre">{t('status.unsaved')}</ListTag>}
            </ListEntry>
          )}
        />
      )}
    </ListPane>
  );
}

/** Folder and name as one text. A name may begin with its folder. */
function nameIn({ folder, name }: Entry): string {
  return folder === '' || name.startsWith(`${folder}/`) ? name : `${folder}/${name}`;
}

function folderOf(object: Entry): string {
  const whole = nameIn(object);
  const slash = whole.lastIndexOf('/');
  return slash < 0 ? '' : whole.slice(0, slash + 1);
}

function baseName(object: Entry): string {
  return nameIn(object).slice(folderOf(object).length);
}
