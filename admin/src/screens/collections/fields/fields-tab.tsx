import { Button } from '@mantine/core';
import { useSession } from '../../../api/session.ts';
import { t } from '../../../base/i18n/index.ts';
import type { Collection, CollectionField } from '../../../content/collections.ts';
import { type EditorStore, useField, useIsChanged } from '../../../editing/editor-store.ts';
import { DraftStrip } from '../../../editing/frame/draft-strip.tsx';
import { type OpenObject, useOpenObject } from '../../../editing/open-object.ts';
import { FieldRow } from '../../../editors/fields/field-row.tsx';
import { RowList } from '../../../editors/fields/row-list.tsx';
import { openDialog } from '../../../ui/floating/dialogs.ts';
import classes from './fields.module.css';
import { RenameField } from './rename-field.tsx';
import { ReviewFields } from './review-fields.tsx';

/** The fields of a collection. Changes are collected; what they break is shown before they are saved. */
export function FieldsTab({ collection }: { readonly collection: Collection }) {
  const { data: session } = useSession();
  const open = useOpenObject<Collection>(session?.user?.id ?? 0, 'fields', collection.id, collection);
  if (open.store === undefined) return null;
  return <OpenFields open={open} store={open.store} collection={collection} />;
}

interface OpenFieldsProps {
  readonly open: OpenObject<Collection>;
  readonly store: EditorStore<Collection>;
  readonly collection: Collection;
}

function OpenFields({ open, store, collection }: OpenFieldsProps) {
  const [fields, setFields] = useField(store, 'fields');
  const isChanged = useIsChanged(store);
  const rename = (name: string) =>
    openDialog((onClose) => (
      <RenameField collection={collection} name={name} isBlocked={isChanged} onClose={onClose} />
    ));
  const review = () =>
    openDialog((onClose) => (
      <ReviewFields
        collection={collection}
        fields={fields}
        onSaved={() => store.discard()}
        onClose={onClose}
      />
    ));
  return (
    <div className={classes['tab']}>
      <DraftStrip {...open} nameOf={() => t('schema.title')} />
      <p className="quiet line">{t('schema.help')}</p>
      <RowList
        items={fields}
        add={t('schema.add')}
        newItem={newField}
        onChange={setFields}
        buttons={
          <>
            <Button disabled={!isChanged} onClick={review}>
              {t('schema.review')}
            </Button>
            {isChanged && (
              <Button variant="subtle" color="gray" onClick={() => store.discard()}>
                {t('page.discard')}
              </Button>
            )}
          </>
        }
      >
        {(field, row) => (
          <FieldRow
            {...row}
            field={field}
            isKnown={isSameField(collection, field, row.place, fields)}
            onRename={() => rename(field.name)}
          />
        )}
      </RowList>
    </div>
  );
}

const newField: CollectionField = {
  name: '',
  label: '',
  type: 'text',
  required: false,
  options: [],
  collection: null,
};

/** A new field that is given the name of an old one is still new: the first with the name is the old one. */
function isSameField(
  { fields: known }: Collection,
  { name }: CollectionField,
  index: number,
  fields: readonly CollectionField[],
): boolean {
  return (
    known.some((field) => field.name === name) && fields.findIndex((field) => field.name === name) === index
  );
}
