import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { recordOf } from '../../api/failure.ts';
import type { FlowNodeParam } from '../../api/generated/schema.ts';
import type { FlowEditing } from '../editor/flow-editing.ts';
import type { NodeFault } from '../model/faults.ts';
import type { FlowNode } from '../model/flow.ts';
import type { EditorKind, Setting } from '../model/settings.ts';
import { useCustomNodes } from '../queries.ts';
import { faultsIn, labelOf, SettingField } from './field-editors.tsx';

export interface CustomSettingsProps {
  readonly editing: FlowEditing;
  readonly node: FlowNode;
  readonly faults: readonly NodeFault[];
}

/** Which custom node it is, and the parameters that its definition asks for. */
export function CustomSettings({ editing, node: { id, config }, faults }: CustomSettingsProps) {
  const { t } = useTranslation();
  const { data: definitions } = useCustomNodes();
  const key = String(config['node'] ?? '');
  const definition = definitions?.find((each) => each.key === key);
  const params = recordOf(config['params']);
  const names = (definitions ?? []).map((each) => ({ value: each.key, label: each.name }));
  const known = definition === undefined ? [{ value: key, label: key || t('workflows.chooseCustom') }] : [];
  const choose = (chosen: string) => {
    const next = definitions?.find((each) => each.key === chosen);
    // Ports are those of the definition at this moment, which the wires of the flow fit.
    if (next !== undefined) editing.setAll(id, { node: chosen, inputs: next.inputs, outputs: next.outputs });
  };
  return (
    <>
      <NativeSelect
        label={labelOf('node')}
        description={definitions?.length === 0 ? t('workflows.noCustom') : definition?.description}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={faultsIn(faults, 'node')[0]?.text}
        data={[...known, ...names]}
        value={key}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {definition?.params.map((param) => (
        <SettingField
          key={`${id} ${key} ${param.name}`}
          setting={settingOf(param)}
          label={param.label === undefined || param.label === '' ? param.name : param.label}
          help={param.help}
          value={params[param.name] ?? param.default}
          faults={faultsIn(faults, `params.${param.name}`)}
          onChange={(value) =>
            editing.set(id, 'params', { ...params, [param.name]: paramValue(param, value) })
          }
        />
      ))}
      {config['inputs'] === 0 && (
        <SettingField
          setting={{ ...plain, name: 'cron', kind: 'cron' }}
          label={labelOf('cron')}
          help={t('workflows.hints.cron')}
          value={config['cron']}
          faults={faultsIn(faults, 'cron')}
          onChange={(value) => editing.set(id, 'cron', value)}
        />
      )}
    </>
  );
}

const plain = { isRequired: false, options: [], columns: [], onlyFor: {} } as const;

const kinds: Readonly<Record<FlowNodeParam['type'], EditorKind>> = {
  text: 'text',
  textarea: 'lines',
  number: 'number',
  checkbox: 'flag',
  select: 'choice',
};

function settingOf({ name, type, options = [] }: FlowNodeParam): Setting {
  return { ...plain, name, kind: kinds[type], options };
}

/** A checkbox that is not ticked says so, because its default may be ticked. */
function paramValue({ type }: FlowNodeParam, value: unknown): unknown {
  return type === 'checkbox' ? value === true : value;
}
