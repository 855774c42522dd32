import { ActionIcon, Checkbox, MultiSelect, NumberInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { ApiFailure } from '../../api/failure.ts';
import { failureText } from '../../api/failure-text.ts';
import type { BlockTypeSchema } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import { blockTypesQuery } from '../../content/block-types.ts';
import type { CollectionField } from '../../content/collections.ts';
import { useField, useIsChanged, useSaveState } from '../../editing/editor-store.ts';
import { FieldRow, type FieldRowProps } from '../../editors/fields/definitions/field-row.tsx';
import { findKnown } from '../../editors/fields/definitions/known-field.ts';
import { ValueInput } from '../../editors/fields/entry-fields.tsx';
import { type ListRowProps, RowList } from '../../editors/fields/row-list.tsx';
import type { Faults } from '../../kit/form/form-texts.ts';
import { openDialog } from '../../ui/floating/dialogs.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import classes from './block-type.module.css';
import type { CodeStore } from './code-store.ts';
import { RenameParam } from './rename-param.tsx';

/** Makes a snippet a block type: its parameters become fields of the block, its slots take other blocks. */
export function BlockTypePanel({ store }: { readonly store: CodeStore }) {
  const [stored, setStored] = useField(store, 'schema');
  const schema = toBlockSchema(stored);
  const isChanged = useIsChanged(store);
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const known = toBlockSchema(base.schema)?.params ?? [];
  const refused = useRefusedParam(store);
  const change = (next: BlockSchema) => setStored({ ...schema, ...next });
  const rename = (name: string) =>
    openDialog((onClose) => (
      <RenameParam snippet={base.id} name={name} isBlocked={isChanged} onClose={onClose} />
    ));
  const slots = schema?.slots ?? [];
  return (
    <div className={classes['panel']}>
      <Checkbox
        label={t('blockType.offer')}
        description={t('blockType.offerHelp')}
        checked={schema?.block === true}
        onChange={(event) => change({ block: event.currentTarget.checked })}
      />
      {schema !== undefined && (
        <>
          <div className={classes['pair']}>
            <TextInput
              label={t('schema.label')}
              value={schema.label ?? ''}
              onChange={(event) => change({ label: event.currentTarget.value })}
            />
            <TextInput
              label={t('blockType.category')}
              value={schema.category ?? ''}
              onChange={(event) => change({ category: event.currentTarget.value })}
            />
          </div>
          <TextInput
            label={t('fields.description')}
            value={schema.description ?? ''}
            onChange={(event) => change({ description: event.currentTarget.value })}
          />
          <h2>{t('blockType.params')}</h2>
          <RowList
            items={schema.params ?? []}
            add={t('blockType.addParam')}
            newItem={{ name: '', label: '', type: 'text' }}
            onChange={(params) => change({ params })}
          >
            {(param, row) => (
              <ParamRow
                {...row}
                param={param}
                others={(schema.params ?? []).filter((other) => other !== param).map(fieldOf)}
                known={knownOf(known, schema.params ?? [], row.place)}
                faults={refused?.name === param.name ? refused.faults : {}}
                onRename={() => rename(param.name)}
              />
            )}
          </RowList>
          <h2>{t('blocks.slots')}</h2>
          <RowList
            items={slots}
            add={t('blockType.addSlot')}
            newItem={{ name: slots.length === 0 ? 'default' : '' }}
            onChange={(next) => change({ slots: next })}
          >
            {(slot, row) => <SlotRow {...row} slot={slot} />}
          </RowList>
        </>
      )}
    </div>
  );
}

interface ParamRowProps extends Omit<FieldRowProps, 'owner' | 'field' | 'onChange'> {
  readonly param: SchemaParam;
  onChange(param: SchemaParam): void;
}

/** A parameter is a field, with a default, and perhaps a matter of design. */
function ParamRow({ param, onChange, ...rest }: ParamRowProps) {
  const field = fieldOf(param);
  const { help: _help, placeholder: _placeholder, ...plain } = field;
  return (
    <>
      <FieldRow
        field={field}
        owner="blockType"
        onChange={(next) => {
          const { default: initial, design } = param;
          // The default belongs to the type.
          const isSameType = next.type === param.type && initial !== undefined;
          onChange({
            ...next,
            ...(isSameType ? { default: initial } : {}),
            ...(design === undefined ? {} : { design }),
          });
        }}
        {...rest}
      />
      <div className={classes['pair']}>
        <ValueInput
          field={{ ...plain, label: t('blockType.default'), required: false }}
          value={param.default ?? null}
          error={rest.faults?.['default']}
          onChange={(value) => onChange({ ...param, default: value })}
        />
        <Checkbox
          label={t('blocks.design')}
          description={t('blockType.designHelp')}
          checked={param.design === true}
          onChange={(event) => onChange({ ...param, design: event.currentTarget.checked })}
        />
      </div>
    </>
  );
}

interface SlotRowProps extends Pick<ListRowProps<SchemaSlot>, 'onChange' | 'onRemove'> {
  readonly slot: SchemaSlot;
}

function SlotRow({ slot, onChange, onRemove }: SlotRowProps) {
  const { data: types = [] } = useQuery(blockTypesQuery);
  const allow = slot.allow ?? [];
  const names = [...new Set([...types.map(({ name }) => name), ...allow])];
  const labels = new Map(types.map(({ name, label }) => [name, label]));
  return (
    <div className={classes['slot']}>
      <TextInput
        label={t('schema.name')}
        value={slot.name}
        onChange={(event) => onChange({ ...slot, name: event.currentTarget.value })}
      />
      <TextInput
        label={t('schema.label')}
        value={slot.label ?? ''}
        onChange={(event) => onChange({ ...slot, label: event.currentTarget.value })}
      />
      <MultiSelect
        label={t('blockType.allow')}
        placeholder={allow.length === 0 ? t('blockType.allowAll') : ''}
        data={names.map((value) => ({ value, label: labels.get(value) ?? value }))}
        value={[...allow]}
        searchable
        onChange={(value) => onChange({ ...slot, allow: value })}
      />
      <NumberInput
        label={t('blockType.max')}
        description={t('blockType.maxHelp')}
        min={0}
        value={slot.max ?? 0}
        onChange={(value) => onChange({ ...slot, max: Number(value) || 0 })}
      />
      <ActionIcon size={28} aria-label={t('schema.remove', { name: slot.name })} onClick={onRemove}>
        <Icon name="trash" />
      </ActionIcon>
    </div>
  );
}

function fieldOf({ default: _default, design: _design, ...param }: SchemaParam): CollectionField {
  // Type boundary: parameters have the types and settings of fields.
  return { label: '', required: false, options: [], collection: null, ...param } as CollectionField;
}

function knownOf(stored: readonly SchemaParam[], params: readonly SchemaParam[], place: number) {
  const known = findKnown(stored, params, place);
  return known === undefined ? undefined : fieldOf(known);
}

/** The parameter that the server has refused at the last save, with the faults by the path below it. */
function useRefusedParam(store: CodeStore): { readonly name: string; readonly faults: Faults } | undefined {
  const state = useSaveState(store);
  if (state.kind !== 'failed' || !(state.error instanceof ApiFailure)) return undefined;
  const { code, params } = state.error;
  if (code !== 'block.paramRuleInvalid') return undefined;
  return { name: String(params['name']), faults: { [String(params['key'])]: failureText(state.error) } };
}

/** A parameter in the schema of a snippet, where most parts may be left out (Core, "Block type schema"). */
interface SchemaParam extends Partial<Omit<CollectionField, 'name' | 'type'>> {
  readonly name: string;
  readonly type: string;
  readonly design?: boolean;
}

interface SchemaSlot {
  readonly name: string;
  readonly label?: string;
  readonly allow?: readonly string[];
  readonly max?: number;
}

interface BlockSchema {
  readonly block?: boolean;
  readonly label?: string;
  readonly description?: string;
  readonly category?: string;
  readonly params?: readonly SchemaParam[];
  readonly slots?: readonly SchemaSlot[];
}

/** Type boundary: the server checks schemas when it stores them. */
function toBlockSchema(stored: BlockTypeSchema | null | undefined): BlockSchema | undefined {
  return stored === null || stored === undefined ? undefined : (stored as BlockSchema);
}
