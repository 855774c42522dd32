import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { t } from '../../../base/i18n/index.ts';
import { RowTools, type RowToolsProps } from '../../../editors/fields/row-tools.tsx';
import { FieldInput } from '../../../kit/form/field-input.tsx';
import { fieldOfParam, noTexts, toFaults } from '../panel/param-fields.tsx';
import classes from './flow-nodes.module.css';
import type { FlowNodeParam } from './queries.ts';

export interface ParamRowProps extends Omit<RowToolsProps, 'title' | 'size'> {
  readonly param: FlowNodeParam;
  /** What the server has refused, by the path of the field. */
  readonly faults: Readonly<Record<string, string>>;
  onChange(param: FlowNodeParam): void;
}

const types = ['text', 'textarea', 'number', 'checkbox', 'select'] as const;

/** A parameter of a custom node: its name in the code, how people enter it, and what it is without a value. */
export function ParamRow({ param, place, faults, onChange, ...tools }: ParamRowProps) {
  const { name, label = '', type, options = [], help = '' } = param;
  const title = name === '' ? String(place + 1) : name;
  const faultOf = (field: string) => faults[`params.${place}.${field}`];
  return (
    <>
      <div className="pair">
        <TextInput
          label={t('flowNodes.paramName')}
          description={t('flowNodes.paramNameHelp', { name: name === '' ? 'rate' : name })}
          value={name}
          error={faultOf('name')}
          onChange={(event) => onChange({ ...param, name: event.currentTarget.value })}
        />
        <TextInput
          label={t('schema.label')}
          placeholder={name}
          value={label}
          error={faultOf('label')}
          onChange={(event) => onChange({ ...param, label: event.currentTarget.value })}
        />
        <NativeSelect
          label={t('schema.type')}
          data={types.map((value) => ({ value, label: t(`flowNodes.types.${value}`) }))}
          value={type}
          onChange={(event) => onChange(withType(param, event.currentTarget.value))}
        />
      </div>
      {type === 'select' && (
        <Textarea
          label={t('flowNodes.options')}
          description={t('flowNodes.optionsHelp')}
          value={options.join('\n')}
          error={faultOf('options')}
          onChange={(event) => onChange({ ...param, options: event.currentTarget.value.split('\n') })}
        />
      )}
      <div className="pair">
        <FieldInput
          field={fieldOfParam({ ...param, options: ['', ...options.filter((option) => option !== '')] })}
          label={t('flowNodes.default')}
          value={param.default}
          faults={toFaults(name, faultOf('default'))}
          texts={noTexts}
          isSparse
          onChange={(value) => onChange(withDefault(param, value))}
        />
        <TextInput
          label={t('flowNodes.help')}
          value={help}
          error={faultOf('help')}
          onChange={(event) => onChange({ ...param, help: event.currentTarget.value })}
        />
      </div>
      <div className={classes['tools']}>
        <RowTools title={title} place={place} {...tools} />
      </div>
    </>
  );
}

/** Default and options belong to the type. */
function withType({ name, label, help }: FlowNodeParam, chosen: string): FlowNodeParam {
  const type = types.find((known) => known === chosen) ?? 'text';
  return {
    name,
    type,
    ...(label === undefined ? {} : { label }),
    ...(help === undefined ? {} : { help }),
    ...(type === 'select' ? { options: [''] } : {}),
  };
}

/** An empty value is none. */
function withDefault({ default: _before, ...param }: FlowNodeParam, value: unknown): FlowNodeParam {
  if (value === '' || value === false) return param;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? { ...param, default: value }
    : param;
}
