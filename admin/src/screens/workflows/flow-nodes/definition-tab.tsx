import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { pathFaults } from '../../../api/failure-text.ts';
import * as forms from '../../../api/generated/forms.ts';
import { t } from '../../../base/i18n/index.ts';
import { useField, useSaveState } from '../../../editing/editor-store.ts';
import { useForm } from '../../../editing/use-form.ts';
import { RowList } from '../../../editors/fields/row-list.tsx';
import { type InputProps, LongText, ShortText } from '../../../kit/form/field-input.tsx';
import { SchemaForm } from '../../../kit/form/schema-form.tsx';
import { Icon } from '../../../ui/icons/icon.tsx';
import { useRows } from '../../../ui/rows/use-rows.ts';
import classes from './flow-nodes.module.css';
import { ParamRow } from './param-row.tsx';
import type { FlowNodeParam } from './queries.ts';
import type { FlowNodeStore } from './store.ts';

/** Data, Automation and Operations, "Limits". */
const maxOutputs = 10;

/** What a custom node is called, where messages come in and go out, and what a workflow sets for it. */
export function DefinitionTab({ store }: { readonly store: FlowNodeStore }) {
  const [inputs, setInputs] = useField(store, 'inputs');
  const { values, onChange } = useForm(store);
  const state = useSaveState(store);
  const faults = useMemo(() => (state.kind === 'failed' ? pathFaults(state.error) : {}), [state]);
  return (
    <div className={classes['form']}>
      <SchemaForm
        schema={forms.FlowNodeUpdate}
        texts="flowNodes"
        layout={['name', 'description', 'color']}
        inputs={{ description: LongText, color: ColorInput }}
        {...{ values, faults, onChange }}
      />
      <Checkbox
        label={t('flowNodes.isStart')}
        description={t('flowNodes.isStartHelp')}
        checked={inputs === 0}
        onChange={(event) => setInputs(event.currentTarget.checked ? 0 : 1)}
      />
      <Outputs store={store} faults={faults} />
      <Params store={store} faults={faults} />
    </div>
  );
}

/** A colour as CSS has it, and how it looks. */
function ColorInput(props: InputProps) {
  const swatch = <span className={classes['swatch']} style={{ backgroundColor: String(props.value) }} />;
  return <ShortText {...props} placeholder="#3366cc" leftSection={swatch} />;
}

interface PartProps {
  readonly store: FlowNodeStore;
  /** What the server has refused, by the path of the field. */
  readonly faults: Readonly<Record<string, string>>;
}

function Outputs({ store, faults }: PartProps) {
  const [outputs, setOutputs] = useField(store, 'outputs');
  const rows = useRows(outputs, setOutputs);
  return (
    <fieldset className={classes['group']}>
      <legend>{t('flowNodes.outputs')}</legend>
      {outputs.length === 0 && <p className="quiet">{t('flowNodes.noOutput')}</p>}
      {faults['outputs'] !== undefined && <p className={classes['error']}>{faults['outputs']}</p>}
      {outputs.map((label, index) => (
        <div key={rows.keys[index]} className={classes['line']}>
          <TextInput
            aria-label={t('flowNodes.outputLabel', { index: index + 1 })}
            placeholder={t('flowNodes.outputLabel', { index: index + 1 })}
            value={label}
            error={faults[`outputs.${index}`]}
            onChange={(event) => rows.change(index, event.currentTarget.value)}
          />
          <ActionIcon
            aria-label={t('flowNodes.removeOutput', { index: index + 1 })}
            onClick={() => rows.remove(index)}
          >
            <Icon name="trash" />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Icon name="plus" />}
        disabled={outputs.length >= maxOutputs}
        onClick={() => setOutputs([...outputs, ''])}
      >
        {t('flowNodes.addOutput')}
      </Button>
    </fieldset>
  );
}

const newParam: FlowNodeParam = { name: '', type: 'text' };

function Params({ store, faults }: PartProps) {
  const [params, setParams] = useField(store, 'params');
  return (
    <fieldset className={classes['group']}>
      <legend>{t('flowNodes.params')}</legend>
      {params.length === 0 && <p className="quiet">{t('flowNodes.noParam')}</p>}
      {faults['params'] !== undefined && <p className={classes['error']}>{faults['params']}</p>}
      <RowList
        items={params}
        add={t('flowNodes.addParam')}
        size="compact-sm"
        newItem={newParam}
        onChange={setParams}
      >
        {(param, row) => <ParamRow {...row} param={param} faults={faults} />}
      </RowList>
    </fieldset>
  );
}
