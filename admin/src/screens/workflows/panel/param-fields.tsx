import type { FlowNodeParam } from '../../../api/generated/schema.ts';
import type { NodeFault } from '../model/faults.ts';
import type { EditorKind, Setting } from '../model/settings.ts';
import { faultsIn, SettingField } from './field-editors.tsx';

export interface ParamFieldsProps {
  /** As the definition of the custom node asks for them. */
  readonly params: readonly FlowNodeParam[];
  readonly values: Readonly<Record<string, unknown>>;
  /** Faults of `params.<name>`. */
  readonly faults: readonly NodeFault[];
  onChange(name: string, value: unknown): void;
}

/** The values of the parameters of a custom node. Without a value the default of the definition is shown. */
export function ParamFields({ params, values, faults, onChange }: ParamFieldsProps) {
  return params.map((param) => (
    <SettingField
      key={param.name}
      setting={settingOfParam(param)}
      label={param.label === undefined || param.label === '' ? param.name : param.label}
      help={param.help}
      value={values[param.name] ?? param.default}
      faults={faultsIn(faults, `params.${param.name}`)}
      onChange={(value) => onChange(param.name, paramValue(param, value))}
    />
  ));
}

const kinds: Readonly<Record<FlowNodeParam['type'], EditorKind>> = {
  text: 'text',
  textarea: 'lines',
  number: 'number',
  checkbox: 'flag',
  select: 'choice',
};

/** How the value of a parameter is edited. */
export function settingOfParam({ name, type, options = [] }: FlowNodeParam): Setting {
  return { name, kind: kinds[type], isRequired: false, options, columns: [], onlyFor: {} };
}

/** A checkbox that is not ticked says so, because its default may be ticked. */
function paramValue({ type }: FlowNodeParam, value: unknown): unknown {
  return type === 'checkbox' ? value === true : value;
}
