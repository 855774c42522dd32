import { Checkbox } from '@mantine/core';
import { useParams, useRouterState } from '@tanstack/react-router';
import type { CollectionCreate } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';
import { type Collection, collections } from '../../content/collections.ts';
import type { CreateState } from '../../kit/form/create-dialog.tsx';
import { slugField } from '../../kit/form/slug.ts';
import { ListScreen } from '../../kit/list/list-screen.tsx';
import { Icon } from '../../ui/icons/icon.tsx';
import { CollectionView } from './collection-view.tsx';
import classes from './collections.module.css';

interface NewCollection {
  readonly name: string;
  readonly slug: string;
  readonly singleton: boolean;
}

const first: NewCollection = { name: '', slug: '', singleton: false };

/** The collections, beside them the entries and the fields of one. */
export function CollectionsScreen() {
  const { part = '' }: { readonly part?: string } = useParams({ strict: false });
  const search = useRouterState({ select: ({ location }) => location.searchStr.replace(/^\?/, '') });
  return (
    <ListScreen
      resource={collections}
      title="nav.collections"
      texts="collections"
      drafts="fields"
      list={paths.collections()}
      path={({ slug }) => paths.collection(slug)}
      param="ref"
      isNamed={({ id, slug }, ref) => slug === ref || String(id) === ref}
      words={({ folder, name, slug }) => `${folder} ${name} ${slug}`}
      row={({ name, folder, item_count }) => ({
        name,
        folder: folder === '' ? '' : `${folder}/`,
        count: item_count,
      })}
      compare={(left, right) => placeOf(left).localeCompare(placeOf(right))}
      isInviting
      foot={<CsvLink />}
      create={{
        initial: first,
        fields: ['name', slugField],
        create: (body) => collections.create({ ...body, fields: firstFields() }),
        more: (form) => <Singleton {...form} />,
        path: ({ slug }) => paths.collection(slug, 'fields'),
      }}
    >
      {(collection) => <CollectionView collection={collection} part={part} search={search} />}
    </ListScreen>
  );
}

function placeOf({ folder, name }: Collection): string {
  return `${folder}/${name}`;
}

/** With a title there is something to enter; all other fields are added on the screen that follows. */
function firstFields(): NonNullable<CollectionCreate['fields']> {
  return [{ name: 'title', label: t('collections.titleField'), type: 'text', required: true }];
}

function Singleton({ body, onChange }: CreateState<NewCollection>) {
  return (
    <Checkbox
      label={t('fields.singleton')}
      description={t('collections.singletonHelp')}
      checked={body.singleton}
      onChange={(event) => onChange({ singleton: event.currentTarget.checked })}
    />
  );
}

function CsvLink() {
  return (
    <div className={classes['foot']}>
      <Link href={paths.collectionImport()} className={classes['import']}>
        <Icon name="upload-simple" /> {t('collections.fromCsv')}
      </Link>
    </div>
  );
}
