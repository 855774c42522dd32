import { ActionIcon, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import { type CollectionField, collections, type FieldType } from '../../content/collections.ts';
import { createSlug } from '../../kit/form/slug.ts';
import { Tooltip } from '../../ui/floating/tooltip.tsx';
import { Icon } from '../../ui/icons/icon.tsx';
import classes from './field-row.module.css';
import { RowTools, type RowToolsProps } from './row-tools.tsx';

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

export interface FieldRowProps extends Omit<RowToolsProps, 'title' | 'size'> {
  readonly field: CollectionField;
  /** The server has it: its name changes by a command that keeps the values. */
  readonly isKnown: boolean;
  /** Parameters of blocks hold no blocks. */
  readonly withoutBlocks?: boolean;
  onChange(field: CollectionField): void;
  onRename(): void;
}

/** A field in the editor of fields. */
export function FieldRow(props: FieldRowProps) {
  const { field, place, count, isKnown, onChange, onMove, onRename, onRemove } = props;
  const offered = types.filter((type) => type !== 'blocks' || props.withoutBlocks !== true);
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
              <Tooltip label={t('schema.rename')}>
                <ActionIcon
                  size={28}
                  aria-label={t('schema.renameOf', { name: field.name })}
                  onClick={onRename}
                >
                  <Icon name="pencil-simple" />
                </ActionIcon>
              </Tooltip>
            </span>
          </div>
        ) : (
          <TextInput
            label={t('schema.name')}
            value={field.name}
            onChange={(event) => onChange({ ...field, name: event.currentTarget.value })}
          />
        )}
        <NativeSelect
          label={t('schema.type')}
          data={offered.map((value) => ({ value, label: t(`schema.types.${value}`) }))}
          value={field.type}
          onChange={(event) => {
            const type = types.find((known) => known === event.currentTarget.value) ?? 'text';
            onChange({ ...field, type });
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
      <FieldDetails field={field} onChange={onChange} />
    </>
  );
}

/** What only some types have. */
function FieldDetails({ field, onChange }: Pick<FieldRowProps, 'field' | 'onChange'>) {
  const { data: allCollections = [] } = collections.useList();
  if (field.type === 'select' || field.type === 'multiselect')
    return (
      <Textarea
        label={t('schema.options')}
        description={t('schema.optionsHelp')}
        value={field.options.join('\n')}
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
