import { ActionIcon, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { t } from '../../../base/i18n/index.ts';
import { type CollectionField, collections, type FieldType } from '../../../content/collections.ts';
import { type Faults, faultAt } from '../../../kit/form/form-texts.ts';
import { createSlug } from '../../../kit/form/slug.ts';
import { Tooltip } from '../../../ui/floating/tooltip.tsx';
import { Icon } from '../../../ui/icons/icon.tsx';
import { RowTools, type RowToolsProps } from '../row-tools.tsx';
import classes from './field-row.module.css';
import { FieldSettings } from './field-settings.tsx';
import { InnerFields } from './inner-fields.tsx';
import { type SettingName, withType } from './settings-of-type.ts';

/** All types of fields, the frequent ones first. */
const types = [
  'text',
  'textarea',
  'markdown',
  'html',
  'number',
  'boolean',
  'date',
  'url',
  'select',
  'image',
  'file',
  'reference',
  'references',
  'datetime',
  'multiselect',
  'color',
  'email',
  'phone',
  'link',
  'place',
  'group',
  'blocks',
] as const satisfies readonly FieldType[];

/** Whose field it is: that says which types and settings it may have. */
type FieldOwner = 'collection' | 'blockType' | 'group';

const withoutTypes: Readonly<Record<FieldOwner, readonly FieldType[]>> = {
  collection: [],
  blockType: ['blocks'],
  group: ['blocks', 'group'],
};

/** The default of a parameter is edited beside what only parameters have. */
const withoutSettings: Readonly<Record<FieldOwner, readonly SettingName[]>> = {
  collection: [],
  blockType: ['unique', 'default'],
  group: ['unique'],
};

export interface FieldRowProps extends Omit<RowToolsProps, 'title' | 'size'> {
  readonly owner: FieldOwner;
  readonly field: CollectionField;
  /** The fields beside it. */
  readonly others: readonly CollectionField[];
  /** The field as the server has it: its name changes by a command that keeps the values. */
  readonly known: CollectionField | undefined;
  /** What the server has refused of it, by the path below it, such as `min` or `fields.0.name`. */
  readonly faults?: Faults;
  onChange(field: CollectionField): void;
  /** Absent: a known field cannot be renamed. */
  readonly onRename?: () => void;
}

/** A field in the editor of fields. */
export function FieldRow(props: FieldRowProps) {
  const {
    owner,
    field,
    others,
    place,
    count,
    known,
    faults = {},
    onChange,
    onMove,
    onRename,
    onRemove,
  } = props;
  const isKnown = known !== undefined;
  const offered = types.filter((type) => !withoutTypes[owner].includes(type));
  const title = field.label || field.name || t('schema.newField');
  const changeLabel = (label: string) => {
    // The name of a new field follows its label until it is changed by hand.
    const isFollowing = !isKnown && field.name === nameOf(field.label);
    onChange({ ...field, label, ...(isFollowing ? { name: nameOf(label) } : {}) });
  };
  return (
    <>
      <div className={classes['main']}>
        <TextInput
          label={t('schema.label')}
          value={field.label}
          onChange={(event) => changeLabel(event.currentTarget.value)}
        />
        {isKnown ? (
          <div className={classes['name']}>
            <span className={classes['nameLabel']}>{t('schema.name')}</span>
            <span>
              <code>{field.name}</code>
              {onRename !== undefined && (
                <Tooltip label={t('schema.rename')}>
                  <ActionIcon
                    size={28}
                    aria-label={t('schema.renameOf', { name: field.name })}
                    onClick={onRename}
                  >
                    <Icon name="pencil-simple" />
                  </ActionIcon>
                </Tooltip>
              )}
            </span>
          </div>
        ) : (
          <TextInput
            label={t('schema.name')}
            value={field.name}
            error={faults['name']}
            onChange={(event) => onChange({ ...field, name: event.currentTarget.value })}
          />
        )}
        <NativeSelect
          label={t('schema.type')}
          data={offered.map((value) => ({ value, label: t(`schema.types.${value}`) }))}
          value={field.type}
          onChange={(event) => {
            const type = types.find((known) => known === event.currentTarget.value) ?? 'text';
            onChange(withType(field, type));
          }}
        />
        <Checkbox
          className={classes['required'] ?? ''}
          label={t('schema.required')}
          checked={field.required}
          onChange={(event) => onChange({ ...field, required: event.currentTarget.checked })}
        />
        <span className={classes['actions']}>
          <RowTools size={28} title={title} place={place} count={count} onMove={onMove} onRemove={onRemove} />
        </span>
      </div>
      <FieldDetails field={field} faults={faults} onChange={onChange} />
      {field.type === 'group' && (
        <InnerFields field={field} known={known} faults={faults} onChange={onChange}>
          {(inner) => <FieldRow {...inner} owner="group" />}
        </InnerFields>
      )}
      <FieldSettings
        field={field}
        others={others}
        faults={faults}
        without={withoutSettings[owner]}
        onChange={onChange}
      />
    </>
  );
}

/** What only some types have. */
function FieldDetails({
  field,
  faults = {},
  onChange,
}: Pick<FieldRowProps, 'field' | 'faults' | 'onChange'>) {
  const { data: allCollections = [] } = collections.useList();
  if (field.type === 'select' || field.type === 'multiselect')
    return (
      <Textarea
        label={t('schema.options')}
        description={t('schema.optionsHelp')}
        value={field.options.join('\n')}
        error={faultAt(faults, 'options')}
        onChange={(event) => onChange({ ...field, options: event.currentTarget.value.split('\n') })}
      />
    );
  if (field.type === 'reference' || field.type === 'references')
    return (
      <NativeSelect
        label={t('schema.linked')}
        data={[
          { value: '', label: t('schema.chooseCollection') },
          ...allCollections.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={field.collection === null ? '' : String(field.collection)}
        error={faults['collection']}
        onChange={(event) => onChange({ ...field, collection: Number(event.currentTarget.value) || null })}
      />
    );
  return null;
}

/** A name that fits the rules of fields, from a label. */
function nameOf(label: string): string {
  return createSlug(label)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_');
}
