import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { useSession } from '../../../api/session/session.ts';
import { t } from '../../../base/i18n/index.ts';
import type { Collection, CollectionField } from '../../../content/collections.ts';
import { type EditorStore, useField, useIsChanged } from '../../../editing/editor-store.ts';
import { DraftStrip } from '../../../editing/frame/draft-strip.tsx';
import { type OpenObject, useOpenObject } from '../../../editing/open-object.ts';
import { FieldRow } from '../../../editors/fields/definitions/field-row.tsx';
import { findKnown } from '../../../editors/fields/definitions/known-field.ts';
import { newField } from '../../../editors/fields/definitions/settings-of-type.ts';
import { focusParam } from '../../../editors/fields/focus-param.ts';
import { pickFaults } from '../../../editors/fields/parts.ts';
import { RowList } from '../../../editors/fields/row-list.tsx';
import type { Faults } from '../../../kit/form/form-texts.ts';
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
  // What the server has refused of these fields; any change of them asks anew.
  const [refused, setRefused] = useState<RefusedFields>();
  const faults = refused?.fields === fields ? refused.faults : {};
  const tab = useRef<HTMLDivElement>(null);
  const review = () =>
    openDialog((onClose) => (
      <ReviewFields
        collection={collection}
        fields={fields}
        onSaved={() => store.discard()}
        onRefused={(faults) => setRefused({ fields, faults })}
        onFault={(path) => afterDialog(() => focusParam(tab.current, path.split('.')[1]))}
        onClose={onClose}
      />
    ));
  return (
    <div ref={tab} className={classes['tab']}>
      <DraftStrip {...open} nameOf={() => t('schema.title')} />
      <p className="quiet line">{t('schema.intro')}</p>
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
          <div className="stack-12" data-param={row.place}>
            <FieldRow
              {...row}
              owner="collection"
              field={field}
              others={fields.filter((other) => other !== field)}
              known={findKnown(collection.fields, fields, row.place)}
              faults={pickFaults(faults, `fields.${row.place}`).inner}
              onRename={() => rename(field.name)}
            />
          </div>
        )}
      </RowList>
    </div>
  );
}

interface RefusedFields {
  readonly fields: readonly CollectionField[];
  readonly faults: Faults;
}

/** Runs once the dialog is gone and has given the focus back. */
function afterDialog(work: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(work));
}
