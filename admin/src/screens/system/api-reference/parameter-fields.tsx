import { NativeSelect, TextInput } from '@mantine/core';
import { t } from '../../../base/i18n/index.ts';
import { limitTexts, type Parameter, type Schema, typeText } from './description.ts';
import { Documentation } from './documentation.tsx';
import classes from './reference.module.css';

export interface ParameterFieldsProps {
  readonly parameters: readonly Parameter[];
  /** By name; what is empty is not sent. */
  readonly values: Readonly<Record<string, string>>;
  onChange(values: Readonly<Record<string, string>>): void;
}

/** The parameters of an operation, each as a field for its value. Headers are told only: no part of an address holds them. */
export function ParameterFields({ parameters, values, onChange }: ParameterFieldsProps) {
  return (
    <ul className={classes['parameters']}>
      {parameters.map(({ name, in: place, description = '', required = false, schema }) => {
        const facts = [typeText(schema), ...limitTexts(schema), t(`reference.places.${place}`)];
        return (
          <li key={name}>
            {place === 'header' ? (
              <code>{name}</code>
            ) : (
              <ValueField
                name={name}
                schema={schema}
                isRequired={required}
                value={values[name] ?? ''}
                onChange={(value) => onChange({ ...values, [name]: value })}
              />
            )}
            <div>
              <p className="meta line">{facts.join(' · ')}</p>
              <Documentation className="line" text={description} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}

interface ValueFieldProps {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly value: string;
  onChange(value: string): void;
}

function ValueField({ name, schema, isRequired, value, onChange }: ValueFieldProps) {
  const choices = choicesOf(schema);
  if (choices === undefined) {
    return (
      <TextInput
        label={name}
        required={isRequired}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <NativeSelect
      label={name}
      required={isRequired}
      data={[{ value: '', label: t('reference.notSent') }, ...choices]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The values to choose from; undefined if it may have others. */
function choicesOf({ type, enum: values, anyOf }: Schema): readonly string[] | undefined {
  if (type === 'boolean') return ['true', 'false'];
  if (values !== undefined) return values.map(String);
  const constants = anyOf?.map((part) => part.const);
  return constants?.every((value) => value !== undefined) === true ? constants.map(String) : undefined;
}
