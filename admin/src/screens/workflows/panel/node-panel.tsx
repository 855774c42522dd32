import { Button, TextInput } from '@mantine/core';
import type { WorkflowRun } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import {
  computePorts,
  type FlowNode,
  findNode,
  removeOutput,
  updateNode,
  wireKey,
} from '../../../content/flow.ts';
import { SchemaForm } from '../../../kit/form/schema-form.tsx';
import { Icon } from '../../../ui/icons/icon.tsx';
import { EmptyState } from '../../../ui/messages/empty-state.tsx';
import { faultsBySetting, type NodeFault, type NodeFaults } from '../model/faults.ts';
import { hasEffect, listSettings, toFormSchema } from '../model/settings.ts';
import { type FlowEditing, useFlow, useSelection } from '../state/flow-editing.ts';
import { chooseIcon, nodeName, outputName, typeHelp, typeName } from '../state/looks.ts';
import { CustomSettings } from './custom-settings.tsx';
import classes from './node-panel.module.css';
import { NodeTrace } from './node-trace.tsx';
import { settingInputs } from './setting-inputs.tsx';

export interface NodePanelProps {
  readonly editing: FlowEditing;
  readonly faults: NodeFaults;
  readonly run: WorkflowRun | undefined;
  onConnect(): void;
}

/** The chosen node: its settings, what it is connected with, and what the shown run has done there. */
export function NodePanel({ editing, faults, run, onConnect }: NodePanelProps) {
  const selection = useSelection(editing);
  const flow = useFlow(editing);
  const node = findNode(flow, selection.nodes.at(-1));
  if (node === undefined) return <EmptyState>{t('workflows.chooseNode')}</EmptyState>;
  const own = faults.get(node.id) ?? [];
  return (
    <div className={classes['panel']} key={node.id} data-panel="node">
      <div className={classes['head']}>
        <Icon name={chooseIcon(node.type)} size={20} />
        <h2>{nodeName(node)}</h2>
        {selection.nodes.length > 1 && (
          <span className="meta">{t('workflows.chosen', { count: selection.nodes.length })}</span>
        )}
      </div>
      <p className="meta line">
        {typeName(node.type)} · {t('workflows.nodeId', { id: node.id })} · {typeHelp(node.type)}
      </p>
      <OtherFaults faults={own} node={node} editing={editing} />
      <TextInput
        label={t('workflows.nodeName')}
        placeholder={typeName(node.type)}
        maxLength={200}
        value={node.name}
        onChange={(event) => editing.rename(node.id, event.currentTarget.value)}
      />
      {node.type === 'custom' ? (
        <CustomSettings editing={editing} node={node} faults={own} />
      ) : (
        <Settings editing={editing} node={node} faults={own} />
      )}
      <Connections editing={editing} node={node} onConnect={onConnect} />
      {run !== undefined && <NodeTrace node={node} run={run} />}
    </div>
  );
}

interface OwnProps {
  readonly editing: FlowEditing;
  readonly node: FlowNode;
}

/** Faults that are at no setting of the form. */
function OtherFaults({ editing, node, faults }: OwnProps & { readonly faults: readonly NodeFault[] }) {
  const info = editing.types.get(node.type);
  const names = info === undefined ? [] : listSettings(info).map(({ name }) => name);
  const others = faults.filter(({ field }) => !names.includes(field.split('.', 1)[0] ?? ''));
  return others.map(({ text }) => (
    <p key={text} className={classes['error']} role="alert">
      {text}
    </p>
  ));
}

function Settings({ editing, node, faults }: OwnProps & { readonly faults: readonly NodeFault[] }) {
  const { id, type, config } = node;
  const info = editing.types.get(type);
  if (info === undefined) return null;
  const settings = listSettings(info);
  return (
    <SchemaForm
      schema={toFormSchema(info)}
      texts={[`workflows.ofType.${type}`, 'workflows.settings']}
      layout={settings.filter((each) => hasEffect(each, config, settings)).map(({ name }) => name)}
      inputs={Object.fromEntries(settings.map(({ name, kind }) => [name, settingInputs[kind]]))}
      values={config}
      faults={faultsBySetting(faults)}
      isSparse
      onChange={(change) => {
        for (const [name, value] of Object.entries(change)) {
          const gone = name === info.outputs_by ? removedRow(config[name], value) : undefined;
          if (gone === undefined) editing.set(id, name, value);
          else
            editing.change(
              removeOutput(updateNode(editing.flow, id, { config: { ...config, [name]: value } }), id, gone),
            );
        }
      }}
    />
  );
}

/** The place of the row that a list has lost; undefined if it has lost none. The other rows are the same objects. */
function removedRow(before: unknown, after: unknown): number | undefined {
  if (!Array.isArray(before) || !Array.isArray(after) || after.length >= before.length) return undefined;
  return before.findIndex((row, place) => row !== after[place]);
}

function Connections({ editing, node, onConnect }: OwnProps & { onConnect(): void }) {
  const flow = useFlow(editing);
  const wires = flow.wires.filter(({ from, to }) => from === node.id || to === node.id);
  const nameOf = (id: string) => {
    const other = findNode(flow, id);
    return other === undefined ? id : nodeName(other);
  };
  return (
    <section aria-label={t('workflows.connections')}>
      <h3>{t('workflows.connections')}</h3>
      {wires.length === 0 && <p className="quiet">{t('workflows.noConnections')}</p>}
      <ul className={classes['wires']}>
        {wires.map((wire) => {
          const isOut = wire.from === node.id;
          const name = nameOf(isOut ? wire.to : wire.from);
          return (
            <li key={wireKey(wire)}>
              <Icon name={isOut ? 'arrow-right' : 'arrow-left'} />
              <span>
                {isOut
                  ? t('workflows.to', { output: outputName(node, wire.out), name })
                  : t('workflows.from', { name })}
              </span>
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                aria-label={t('workflows.disconnect', { name })}
                onClick={() => editing.disconnect(wire)}
              >
                <Icon name="x" />
              </Button>
            </li>
          );
        })}
      </ul>
      {computePorts(node, editing.types).outputs > 0 && (
        <Button variant="default" size="compact-sm" leftSection={<Icon name="plus" />} onClick={onConnect}>
          {t('workflows.connect')}
        </Button>
      )}
    </section>
  );
}
