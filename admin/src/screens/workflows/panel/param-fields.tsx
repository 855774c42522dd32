import type { FlowNodeParam } from '../../../api/generated/schema.ts';
import { FieldInput } from '../../../kit/form/field-input.tsx';
import type { FormField } from '../../../kit/form/form-field.ts';
import { type Faults, faultAt } from '../../../kit/form/form-texts.ts';

export interface ParamFieldsProps {
  /** As the definition of the custom node asks for them. */
  readonly params: readonly FlowNodeParam[];
  readonly values: Readonly<Record<string, unknown>>;
  /** Faults of `params.<name>`. */
  readonly faults: Faults;
  onChange(name: string, value: unknown): void;
}

/** The values of the parameters of a custom node. Without a value the default of the definition is shown. */
export function ParamFields({ params, values, faults, onChange }: ParamFieldsProps) {
  return params.map((param) => (
    <FieldInput
      key={param.name}
      field={fieldOfParam(param)}
      label={param.label === undefined || param.label === '' ? param.name : param.label}
      help={param.help}
      value={values[param.name] ?? param.default}
      faults={toFaults(param.name, faultAt(faults, `params.${param.name}`))}
      texts={noTexts}
      isSparse
      onChange={(value) => onChange(param.name, paramValue(param, value))}
    />
  ));
}

const kinds: Readonly<Record<FlowNodeParam['type'], string>> = {
  text: 'text',
  textarea: 'lines',
  number: 'number',
  checkbox: 'flag',
  select: 'choice',
};

/** How the value of a parameter is edited. */
export function fieldOfParam({ name, type, options = [] }: FlowNodeParam): FormField {
  return { name, kind: kinds[type], isRequired: false, options, columns: [] };
}

/** The definition of a parameter has all its texts. */
export const noTexts = [];

export function toFaults(name: string, fault: string | undefined): Faults {
  return fault === undefined ? {} : { [name]: fault };
}

/** A checkbox that is not ticked says so, because its default may be ticked. */
function paramValue({ type }: FlowNodeParam, value: unknown): unknown {
  return type === 'checkbox' ? value === true : value;
}
