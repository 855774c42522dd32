import { NativeSelect } from '@mantine/core';
import { toRecord } from '../../../api/failure.ts';
import { t } from '../../../base/i18n/index.ts';
import { Link } from '../../../base/router/link.tsx';
import { paths } from '../../../base/router/paths.ts';
import { customConfig, type FlowNode } from '../../../content/flow.ts';
import { flowNodes } from '../../../content/workflows.ts';
import { FieldInput } from '../../../kit/form/field-input.tsx';
import type { FormField } from '../../../kit/form/form-field.ts';
import { findHelp, formatLabel } from '../../../kit/form/form-texts.ts';
import { faultsBySetting, type NodeFault } from '../model/faults.ts';
import type { FlowEditing } from '../state/flow-editing.ts';
import { ParamFields } from './param-fields.tsx';

export interface CustomSettingsProps {
  readonly editing: FlowEditing;
  readonly node: FlowNode;
  readonly faults: readonly NodeFault[];
}

const texts = 'workflows.settings';
const cron: FormField = { name: 'cron', kind: 'text', isRequired: false, options: [], columns: [] };

/** Which custom node it is, and the parameters that its definition asks for. */
export function CustomSettings({ editing, node: { id, config }, faults }: CustomSettingsProps) {
  const { data: definitions } = flowNodes.useList();
  const bySetting = faultsBySetting(faults);
  const key = String(config['node'] ?? '');
  const definition = definitions?.find((each) => each.key === key);
  const params = toRecord(config['params']);
  const names = (definitions ?? []).map((each) => ({ value: each.key, label: each.name }));
  const known = definition === undefined ? [{ value: key, label: key || t('workflows.chooseCustom') }] : [];
  const choose = (chosen: string) => {
    const next = definitions?.find((each) => each.key === chosen);
    if (next !== undefined) editing.setAll(id, customConfig(next));
  };
  return (
    <>
      <NativeSelect
        label={formatLabel(texts, 'node')}
        description={definition?.description}
        error={bySetting['node']}
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
        faults={bySetting}
        onChange={(name, value) => editing.set(id, 'params', { ...params, [name]: value })}
      />
      {config['inputs'] === 0 && (
        <FieldInput
          field={cron}
          label={formatLabel(texts, 'cron')}
          help={findHelp(texts, 'cron')}
          texts={texts}
          value={config['cron']}
          faults={bySetting}
          onChange={(value) => editing.set(id, 'cron', value)}
        />
      )}
    </>
  );
}
