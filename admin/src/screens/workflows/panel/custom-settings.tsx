import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { recordOf } from '../../../api/failure.ts';
import { Link } from '../../../base/router/link.tsx';
import { paths } from '../../../base/router/paths.ts';
import { customConfig, type FlowNode } from '../../../content/flow.ts';
import { flowNodes } from '../../../content/workflows.ts';
import type { NodeFault } from '../model/faults.ts';
import type { FlowEditing } from '../state/flow-editing.ts';
import { faultsIn, labelOf, SettingField } from './field-editors.tsx';
import { ParamFields } from './param-fields.tsx';

export interface CustomSettingsProps {
  readonly editing: FlowEditing;
  readonly node: FlowNode;
  readonly faults: readonly NodeFault[];
}

/** Which custom node it is, and the parameters that its definition asks for. */
export function CustomSettings({ editing, node: { id, config }, faults }: CustomSettingsProps) {
  const { t } = useTranslation();
  const { data: definitions } = flowNodes.useList();
  const key = String(config['node'] ?? '');
  const definition = definitions?.find((each) => each.key === key);
  const params = recordOf(config['params']);
  const names = (definitions ?? []).map((each) => ({ value: each.key, label: each.name }));
  const known = definition === undefined ? [{ value: key, label: key || t('workflows.chooseCustom') }] : [];
  const choose = (chosen: string) => {
    const next = definitions?.find((each) => each.key === chosen);
    if (next !== undefined) editing.setAll(id, customConfig(next));
  };
  return (
    <>
      <NativeSelect
        label={labelOf('node')}
        description={definition?.description}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={faultsIn(faults, 'node')[0]?.text}
        data={[...known, ...names]}
        value={key}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      <Link href={definition === undefined ? paths.flowNodes() : paths.flowNode(definition.id)}>
        {t(definition === undefined ? 'flowNodes.title' : 'flowNodes.openDefinition')}
      </Link>
      <ParamFields
        key={`${id} ${key}`}
        params={definition?.params ?? []}
        values={params}
        faults={faults}
        onChange={(name, value) => editing.set(id, 'params', { ...params, [name]: value })}
      />
      {config['inputs'] === 0 && (
        <SettingField
          setting={{ name: 'cron', kind: 'cron', isRequired: false, options: [], columns: [], onlyFor: {} }}
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
