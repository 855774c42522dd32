import { Button, Chip, Group, TextInput } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { type CSSProperties, type FormEvent, useMemo, useState } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { Link } from '../../../base/router/link.tsx';
import { paths } from '../../../base/router/paths.ts';
import { type PageTreeEntry, usePageTree } from '../../../content/pages.ts';
import { openDialog } from '../../../ui/floating/dialogs.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { EmptyState } from '../../../ui/messages/empty-state.tsx';
import { StatusMark } from '../../../ui/messages/status-mark.tsx';
import { SearchInput } from '../../../ui/rows/search-input.tsx';
import { VirtualRows } from '../../../ui/rows/virtual-rows.tsx';
import wide from '../../../ui/rows/wide-table.module.css';
import { textFilter } from '../model/tree-model.ts';
import { languageName } from './language-name.ts';
import { type LanguageRow, type LanguageTable, languageTable, placeOfVersion } from './language-table.ts';
import classes from './languages-screen.module.css';
import { NewVersion } from './new-version.tsx';

type Row = LanguageRow<PageTreeEntry>;

/** Which pages of a website there are in which language; what is missing can be made. */
export function LanguagesScreen() {
  const params: { readonly root?: string } = useParams({ strict: false });
  const root = Number(params.root);
  const { data: pages } = usePageTree();
  const table = useMemo(() => languageTable(pages ?? [], root), [pages, root]);
  const [added, setAdded] = useState<readonly string[]>([]);
  const languages = [...new Set([...table.languages, ...added])];
  const [query, setQuery] = useState('');
  const [isMissingOnly, setMissingOnly] = useState(false);
  if (pages === undefined) return null;
  const isShown = textFilter(query) ?? (() => true);
  const rows = table.rows.filter(
    ({ versions }) =>
      [...versions.values()].some(isShown) &&
      (!isMissingOnly || languages.some((lang) => !versions.has(lang))),
  );
  const create = (row: Row, lang: string) => {
    const place = placeOfVersion(pages, row, lang);
    if (place !== undefined)
      openDialog((onClose) => <NewVersion source={row.first} lang={lang} place={place} onClose={onClose} />);
  };
  return (
    <div className="screen">
      <PageHeader
        title={t('languages.title')}
        scope={
          <Link href={paths.pages(root)}>
            {t('nav.pages')} · {pages.find(({ id }) => id === root)?.title}
          </Link>
        }
      />
      <div className={classes['bar']}>
        <SearchInput label={t('tree.search')} value={query} onChange={setQuery} />
        <Chip size="xs" checked={isMissingOnly} onChange={setMissingOnly}>
          {t('languages.missingOnly')}
        </Chip>
        <AddLanguage onAdd={(lang) => setAdded([...added, lang])} />
      </div>
      {table.withoutLanguage > 0 && (
        <p className={classes['note']}>{t('languages.without', { count: table.withoutLanguage })}</p>
      )}
      {rows.length === 0 ? (
        <EmptyState>{t(table.rows.length === 0 ? 'languages.none' : 'tree.noHit')}</EmptyState>
      ) : (
        <Versions table={table} languages={languages} rows={rows} onCreate={create} />
      )}
    </div>
  );
}

/** A language that no page has yet gets a column, in which versions can be made. */
function AddLanguage({ onAdd }: { onAdd(lang: string): void }) {
  const [typed, setTyped] = useState('');
  const lang = typed.trim().toLowerCase();
  const isTag = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/.test(lang);
  const add = (event: FormEvent) => {
    event.preventDefault();
    onAdd(lang);
    setTyped('');
  };
  return (
    <form onSubmit={add}>
      <Group gap={8} wrap="nowrap">
        <TextInput
          className={classes['tag'] ?? ''}
          aria-label={t('languages.tag')}
          placeholder={t('languages.tag')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={!isTag}>
          {t('languages.add')}
        </Button>
      </Group>
    </form>
  );
}

interface VersionsProps {
  readonly table: LanguageTable<PageTreeEntry>;
  readonly languages: readonly string[];
  readonly rows: readonly Row[];
  onCreate(row: Row, lang: string): void;
}

function Versions({ table, languages, rows, onCreate }: VersionsProps) {
  const style = { '--count': languages.length, '--width': `${languages.length * 200}px` } as CSSProperties;
  return (
    <div className={wide['table']} style={style}>
      <div className={wide['inner']}>
        <div className={classes['heads']}>
          {languages.map((lang) => (
            <span key={lang}>
              <b>{languageName(lang)}</b>{' '}
              <span className="meta tabular">
                {t('languages.count', {
                  count: table.rows.filter(({ versions }) => versions.has(lang)).length,
                  all: table.rows.length,
                })}
              </span>
            </span>
          ))}
        </div>
        <VirtualRows
          label={t('languages.title')}
          rows={rows}
          rowHeight={48}
          keyOf={({ first }) => first.id}
          render={(row) => (
            <div className={classes['row']}>
              {languages.map((lang) => (
                <Version key={lang} row={row} lang={lang} onCreate={() => onCreate(row, lang)} />
              ))}
            </div>
          )}
        />
      </div>
    </div>
  );
}

interface VersionProps {
  readonly row: Row;
  readonly lang: string;
  onCreate(): void;
}

function Version({ row: { first, versions }, lang, onCreate }: VersionProps) {
  const page = versions.get(lang);
  if (page === undefined)
    return (
      <button
        type="button"
        className={classes['missing']}
        aria-label={t('languages.create', { title: first.title, language: languageName(lang) })}
        onClick={onCreate}
      >
        <Icon name="plus" /> {t('languages.missing')}
      </button>
    );
  return (
    <span className={classes['version']}>
      <span className={classes['name']}>
        <Link href={paths.page(page.root_id, page.id)} lang={lang}>
          {page.title}
        </Link>
        <StatusMark status={page.published ? 'live' : 'draft'} />
      </span>
      <span className={classes['path']}>{page.path}</span>
    </span>
  );
}
