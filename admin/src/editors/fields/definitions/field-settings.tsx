import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { findText, t } from '../../../base/i18n/index.ts';
import type { CollectionField } from '../../../content/collections.ts';
import { type Faults, faultAt } from '../../../kit/form/form-texts.ts';
import { helpAbove } from '../../../ui/layout/help-above.ts';
import { ValueInput } from '../entry-fields.tsx';
import { pickFaults } from '../parts.ts';
import { ConditionInput } from './condition-input.tsx';
import classes from './field-row.module.css';
import { ClassesInput, ToolsInput } from './rich-text-settings.tsx';
import {
  type SettingName,
  settingNames,
  supportsSetting,
  valueClasses,
  withSetting,
} from './settings-of-type.ts';

export interface FieldSettingsProps {
  readonly field: CollectionField;
  /** The fields beside it. */
  readonly others: readonly CollectionField[];
  /** What the server has refused of it, by the path below it. */
  readonly faults: Faults;
  /** Settings that fields of this owner do not have, or that are edited elsewhere. */
  readonly without: readonly SettingName[];
  onChange(field: CollectionField): void;
}

/** What a field may have besides its type: only what its type knows is shown. */
export function FieldSettings({ field, others, faults, without, onChange }: FieldSettingsProps) {
  const shown = settingNames.filter((name) => supportsSetting(field.type, name) && !without.includes(name));
  const [isOpen, setOpen] = useState(false);
  const isAtFault = shown.some((name) => faultAt(faults, name) !== undefined);
  const present = shown.filter((name) => field[name] !== undefined);
  return (
    <details open={isOpen || isAtFault} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {t('schema.settings')}
        {present.length > 0 && (
          <span className="meta"> {present.map((name) => t(`schema.${name}`)).join(', ')}</span>
        )}
      </summary>
      {(isOpen || isAtFault) && (
        <div className={classes['settings']}>
          {shown.map((name) => (
            <Setting
              key={name}
              name={name}
              field={field}
              others={others}
              faults={faults}
              onChange={(value) => onChange(withSetting(field, name, value))}
            />
          ))}
        </div>
      )}
    </details>
  );
}

interface SettingProps extends Pick<FieldSettingsProps, 'field' | 'others' | 'faults'> {
  readonly name: SettingName;
  onChange(value: unknown): void;
}

function Setting({ name, field, others, faults, onChange }: SettingProps) {
  const error = faultAt(faults, name);
  const text = {
    ...helpAbove,
    label: t(`schema.${name}`),
    description: findText(`schema.${name}Help`),
    value: String(field[name] ?? ''),
    error,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(event.currentTarget.value),
  };
  switch (name) {
    case 'help':
      return <Textarea autosize {...text} />;
    case 'placeholder':
    case 'group':
      return <TextInput {...text} />;
    case 'pattern':
      return <TextInput {...text} className={classes['pattern'] ?? ''} spellCheck={false} />;
    case 'pattern_help':
      // Nobody reads it without a pattern.
      return field.pattern === undefined && field.pattern_help === undefined ? null : <TextInput {...text} />;
    case 'unique':
      return (
        <Checkbox
          label={text.label}
          description={text.description}
          checked={field.unique === true}
          error={error}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'min':
    case 'max':
      return <Bound name={name} field={field} error={error} onChange={onChange} />;
    case 'default':
      return <DefaultInput field={field} faults={faults} onChange={onChange} />;
    case 'richtext':
      return <ToolsInput tools={field.richtext} error={error} onChange={onChange} />;
    case 'classes':
      return (
        <ClassesInput
          list={field.classes ?? []}
          faults={pickFaults(faults, name)}
          onChange={(list) => onChange(list.length === 0 ? null : list)}
        />
      );
    case 'show_if': {
      const { error: own, inner } = pickFaults(faults, name);
      return (
        <ConditionInput
          condition={field.show_if}
          others={others}
          faults={own === undefined ? inner : { ...inner, '': own }}
          onChange={onChange}
        />
      );
    }
  }
}

interface BoundProps extends Pick<SettingProps, 'field' | 'onChange'> {
  readonly name: 'min' | 'max';
  readonly error: string | undefined;
}

/** The smallest or largest value, in the input of the type; of texts and lists a number. */
function Bound({ name, field, error, onChange }: BoundProps) {
  const valueClass = valueClasses[field.type];
  // Only a list of groups can be counted.
  if (field.type === 'group' && field.many !== true) return null;
  return (
    <ValueInput
      field={{
        name,
        label: t(`schema.${name}`),
        type: valueClass === 'date' ? field.type : 'number',
        required: false,
        options: [],
        collection: null,
      }}
      help={findText(`schema.measures.${valueClass}`)}
      value={field[name] ?? null}
      error={error}
      onChange={onChange}
    />
  );
}

/** The value of new entries, in the input that their form has. */
function DefaultInput({ field, faults, onChange }: Pick<SettingProps, 'field' | 'faults' | 'onChange'>) {
  const { help: _help, placeholder: _placeholder, ...plain } = field;
  const { error, inner } = pickFaults(faults, 'default');
  return (
    <ValueInput
      field={{ ...plain, label: t('schema.default'), required: false }}
      help={t('schema.defaultHelp')}
      value={field.default ?? null}
      error={error}
      faults={inner}
      onChange={onChange}
    />
  );
}
