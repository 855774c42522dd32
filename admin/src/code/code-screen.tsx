import { ActionIcon, TextInput, Title, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from '../app/link.tsx';
import { useCommands } from '../commands/registry.ts';
import { useDraftIds } from '../editing/drafts.ts';
import { useSession } from '../session/queries.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Icon } from '../ui/icon.tsx';
import { SplitPane } from '../ui/split-pane.tsx';
import { VirtualRows } from '../ui/virtual-rows.tsx';
import type { CodeKind, CodeObject } from './code-object.ts';
import { CodeObjectEditor } from './code-object-editor.tsx';
import classes from './code-screen.module.css';
import { NewObject } from './new-object.tsx';
import { useCodeObjects } from './queries.ts';

/** Objects that are code: a list by folder and name, beside it the editor. */
export function CodeScreen({ kind }: { readonly kind: CodeKind }) {
  const { t } = useTranslation();
  const params: { readonly id?: string } = useParams({ strict: false });
  const current = params.id === undefined ? undefined : Number(params.id);
  const [isNew, setNew] = useState(false);
  useCommands([
    { id: `${kind.name}.new`, label: `code.${kind.name}.new`, icon: 'plus', run: () => setNew(true) },
  ]);
  const isSingle = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
  const list = <ObjectList kind={kind} current={current} onNew={() => setNew(true)} />;
  const editor =
    current === undefined ? (
      <>
        <h1 className="visually-hidden">{t(`code.${kind.name}.title`)}</h1>
        <EmptyState>{t(`code.${kind.name}.choose`)}</EmptyState>
      </>
    ) : (
      <CodeObjectEditor key={`${kind.name} ${current}`} kind={kind} id={current} />
    );
  return (
    <div className={classes['screen']}>
      {isSingle ? (
        current === undefined ? (
          list
        ) : (
          editor
        )
      ) : (
        <SplitPane id={kind.name} label={t('code.width')} initial={264} min={200} max={520} first={list}>
          {editor}
        </SplitPane>
      )}
      {isNew && <NewObject kind={kind} onClose={() => setNew(false)} />}
    </div>
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
  const { data: session } = useSession();
  const { data: objects } = useCodeObjects(kind);
  const unsaved = useDraftIds(session?.user?.id ?? 0, kind.name);
  const [query, setQuery] = useState('');
  const shown = (objects ?? [])
    .filter(({ name, folder }) => `${folder} ${name}`.toLowerCase().includes(query.toLowerCase()))
    .toSorted((left, right) => nameIn(left).localeCompare(nameIn(right)));
  return (
    <div className={classes['list']}>
      <header className={classes['head']}>
        <Title order={2} size="h3">
          {t(`code.${kind.name}.title`)} <span className={classes['count']}>{objects?.length}</span>
        </Title>
        <Tooltip label={t(`code.${kind.name}.new`)}>
          <ActionIcon aria-label={t(`code.${kind.name}.new`)} onClick={onNew}>
            <Icon name="plus" size={20} />
          </ActionIcon>
        </Tooltip>
      </header>
      <div className={classes['filter']}>
        <TextInput
          type="search"
          aria-label={t('code.filter')}
          placeholder={t('code.filter')}
          leftSection={<Icon name="magnifying-glass" />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
      </div>
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
            <Link
              href={kind.path(object.id)}
              className={classes['entry']}
              aria-current={object.id === current ? 'page' : undefined}
            >
              <span className={classes['folder']}>{folderOf(object)}</span>
              <span className={classes['name']}>{baseName(object)}</span>
              {object.kind !== undefined && <span className={classes['tag']}>{object.kind}</span>}
              {unsaved.has(object.id) && <span className={classes['unsaved']}>{t('status.unsaved')}</span>}
            </Link>
          )}
        />
      )}
    </div>
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
