import { Button } from '@mantine/core';
import { type KeyboardEvent, useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import { t, timeText } from '../../../base/i18n/index.ts';
import { useSaveState } from '../../../editing/editor-store.ts';
import { useFindings } from '../../../editing/findings.ts';
import { SplitPane } from '../../../ui/layout/split-pane.tsx';
import { TabPanes } from '../../../ui/layout/tab-panes.tsx';
import { Strip } from '../../../ui/messages/strip.tsx';
import { FlowGraph } from '../canvas/flow-graph.tsx';
import type { AddWish } from '../canvas/graph-events.ts';
import { faultsAtNodes, faultsStill, type NodeFaults, sentFlow, warningsAtNodes } from '../model/faults.ts';
import { NodePanel } from '../panel/node-panel.tsx';
import { RunPanel } from '../panel/run-panel.tsx';
import { AddDialog } from '../picker/add-dialog.tsx';
import { ConnectDialog } from '../picker/connect-dialog.tsx';
import { Palette } from '../picker/palette.tsx';
import type { FlowEditing } from '../state/flow-editing.ts';
import { FlowList } from './flow-list.tsx';
import type { FlowRun } from './use-flow-run.ts';
import classes from './workflow-editor.module.css';

export interface FlowWorkbenchProps {
  readonly editing: FlowEditing;
  readonly view: 'graph' | 'list';
  readonly panel: 'node' | 'run';
  readonly flowRun: FlowRun;
  onPanel(panel: 'node' | 'run'): void;
}

/** Palette, graph or list, and beside it the chosen node or the run. */
export function FlowWorkbench({ editing, view, panel, flowRun, onPanel }: FlowWorkbenchProps) {
  const [wish, setWish] = useState<AddWish>();
  const [isConnecting, setConnecting] = useState(false);
  const faults = useAllFaults(editing, flowRun.faults);
  const { answer } = flowRun;
  const { current } = editing;
  const connect = useCallback(() => setConnecting(true), []);
  const edit = useCallback(() => {
    onPanel('node');
    // The field comes with the panel.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-panel="node"] input')?.focus());
  }, [onPanel]);
  return (
    <SplitPane
      id="workflow-panel"
      label={t('workflows.panelWidth')}
      widths={[280, 360, 720]}
      restMin={240}
      isStackedUpright
      first={
        <div className={classes['work']}>
          <Palette
            types={editing.types}
            onAdd={(type) => editing.add(type, editing.current, { x: 0, y: 0 })}
          />
          <div className={classes['view']}>
            {answer !== undefined && (
              <Strip
                tone="slate"
                actions={
                  <Button size="compact-sm" variant="default" onClick={() => flowRun.show(undefined)}>
                    {t('workflows.hideRun')}
                  </Button>
                }
              >
                {t('workflows.shownRun', { time: timeText(answer.run.started_at / 1000) })}
              </Strip>
            )}
            {view === 'graph' ? (
              <FlowGraph
                editing={editing}
                faults={faults}
                traces={flowRun.traces}
                onAdd={setWish}
                onConnect={connect}
                onEdit={edit}
              />
            ) : (
              <FlowList editing={editing} faults={faults} />
            )}
          </div>
        </div>
      }
    >
      <TabPanes
        label={t('workflows.panel')}
        value={panel}
        tabs={[
          {
            name: 'node',
            label: t('workflows.node'),
            content: <NodePanel editing={editing} faults={faults} run={answer?.run} onConnect={connect} />,
          },
          {
            name: 'run',
            label: t('workflows.runPanel'),
            content: (
              <RunPanel
                editing={editing}
                input={flowRun.input}
                sending={flowRun.sending}
                answer={answer}
                onInput={flowRun.setInput}
                onNode={(id) => {
                  editing.choose([id]);
                  onPanel('node');
                }}
              />
            ),
          },
        ]}
        onChange={onPanel}
        onKeyDown={leavePanel}
      />
      {wish !== undefined && <AddDialog editing={editing} wish={wish} onClose={() => setWish(undefined)} />}
      {isConnecting && current !== undefined && (
        <ConnectDialog editing={editing} node={current} onClose={() => setConnecting(false)} />
      )}
    </SplitPane>
  );
}

/** Escape leads from the fields of a node back to the node. In code it belongs to the editor. */
function leavePanel({ key, target, defaultPrevented }: KeyboardEvent): void {
  const isInFields = target instanceof Element && target.closest('[data-panel="node"]') !== null;
  if (key !== 'Escape' || defaultPrevented || !isInFields || target.closest('.cm-editor') !== null) return;
  document.querySelector<HTMLElement>('[data-node][tabindex="0"]')?.focus();
}

/** What the last save or the last run has refused, and code that does not parse. */
function useAllFaults({ store }: FlowEditing, ofRun: NodeFaults): NodeFaults {
  const state = useSaveState(store);
  const findings = useFindings(store);
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const flow = useSyncExternalStore(store.subscribe, () => store.get('flow'));
  return useMemo(() => {
    // A refused save has its flow with it; other findings are of the stored one.
    const refused = state.kind === 'failed' ? sentFlow(state.error) : undefined;
    const before = refused ?? base.flow;
    const lists = [
      state.kind === 'failed' ? faultsStill(faultsAtNodes(state.error, before), before, flow) : undefined,
      faultsStill(warningsAtNodes(findings), before, flow),
      ofRun,
    ];
    const all = new Map<string, NodeFaults extends ReadonlyMap<string, infer List> ? List : never>();
    for (const faults of lists)
      for (const [id, list] of faults ?? []) all.set(id, [...(all.get(id) ?? []), ...list]);
    return all;
  }, [state, findings, ofRun, base, flow]);
}
