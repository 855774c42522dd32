import { t } from '../../../base/i18n/index.ts';
import '@xyflow/react/dist/base.css';
import {
  Background,
  BackgroundVariant,
  MiniMap,
  Panel,
  ReactFlow,
  type ReactFlowInstance,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import { type DragEvent, memo, type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import type { Command } from '../../../commands/command.ts';
import { CommandIconButton } from '../../../commands/command-button.tsx';
import { useCommands } from '../../../commands/registry.ts';
import { EmptyState } from '../../../ui/messages/empty-state.tsx';
import type { NodeFaults } from '../model/faults.ts';
import type { RunTraces } from '../model/trace.ts';
import { type FlowEditing, useFlow } from '../state/flow-editing.ts';
import classes from './flow-graph.module.css';
import { FlowStep } from './flow-step.tsx';
import { type AddWish, draggedType, graphEvents } from './graph-events.ts';
import { onGraphClipboard, onGraphKey } from './graph-keys.ts';
import type { ShownNode, ShownWire } from './shown-flow.ts';
import { useShown } from './use-shown.ts';

export interface FlowGraphProps {
  readonly editing: FlowEditing;
  readonly faults: NodeFaults;
  readonly traces: RunTraces | undefined;
  onAdd(wish: AddWish): void;
  onConnect(): void;
  /** Shows the settings of the chosen node. */
  onEdit(): void;
}

const nodeTypes = { step: FlowStep };
const snapGrid: [number, number] = [16, 16];
const proOptions = { hideAttribution: true };

/** The flow as a graph: drag, wire, choose by mouse; everything by keys too. */
export function FlowGraph(props: FlowGraphProps) {
  return (
    <ReactFlowProvider>
      <Graph {...props} />
    </ReactFlowProvider>
  );
}

function Graph({ editing, faults, traces, onAdd, onConnect, onEdit }: FlowGraphProps) {
  const instance = useReactFlow<ShownNode, ShownWire>();
  const box = useRef<HTMLElement>(null);
  const [isConnecting, setConnecting] = useState(false);
  const events = useMemo(
    () => graphEvents({ editing, instance, onAdd, onConnecting: setConnecting }),
    [editing, instance, onAdd],
  );
  const add = useCallback(
    () => onAdd({ behind: editing.current, point: events.middleOf(box.current) }),
    [editing, events, onAdd],
  );
  const commands = useMemo(() => graphCommands(editing, instance, add), [editing, instance, add]);
  useCommands([commands.undo, commands.redo]);
  const clipboard = onGraphClipboard(editing);
  return (
    <section
      ref={box}
      className={classes['graph']}
      aria-label={t('workflows.graph')}
      data-connecting={isConnecting || undefined}
      onKeyDown={onGraphKey({ editing, add, connect: onConnect, edit: onEdit, fit: commands.fit.run })}
      onCopy={clipboard.copy}
      onCut={clipboard.cut}
      onPaste={clipboard.paste}
      onDragOver={allowDrop}
      onDrop={events.drop}
    >
      <p className="visually-hidden">{t('workflows.graphHelp')}</p>
      <Empty editing={editing} />
      <Drawing editing={editing} faults={faults} traces={traces} events={events.flow}>
        <Background variant={BackgroundVariant.Dots} gap={16} size={1} />
        <MiniMap pannable zoomable ariaLabel={t('workflows.minimap')} nodeBorderRadius={8} />
        <Tools editing={editing} commands={commands} />
      </Drawing>
    </section>
  );
}

function allowDrop(event: DragEvent): void {
  if (event.dataTransfer.types.includes(draggedType)) event.preventDefault();
}

interface DrawingProps extends Pick<FlowGraphProps, 'editing' | 'faults' | 'traces'> {
  readonly events: ReturnType<typeof graphEvents>['flow'];
  readonly children: ReactNode;
}

/** Apart from what is around it, so that a step of a drag draws the nodes that move and nothing else. */
const Drawing = memo(function Drawing({ editing, faults, traces, events, children }: DrawingProps) {
  const { nodes, wires, drag } = useShown(editing, faults, traces);
  return (
    <ReactFlow<ShownNode, ShownWire>
      nodes={nodes}
      edges={wires}
      nodeTypes={nodeTypes}
      onNodesChange={drag.onChange}
      onNodeDragStop={drag.onStop}
      onSelectionDragStop={drag.onStop}
      {...events}
      connectionRadius={24}
      nodesFocusable={false}
      edgesFocusable={false}
      disableKeyboardA11y
      deleteKeyCode={null}
      selectNodesOnDrag={false}
      elevateNodesOnSelect={false}
      zoomOnDoubleClick={false}
      snapToGrid
      snapGrid={snapGrid}
      minZoom={0.1}
      maxZoom={2}
      fitView
      fitViewOptions={fitOptions}
      proOptions={proOptions}
    >
      {children}
    </ReactFlow>
  );
});

function Empty({ editing }: Pick<FlowGraphProps, 'editing'>) {
  const flow = useFlow(editing);
  if (flow.nodes.length > 0) return null;
  return (
    <div className={classes['empty']}>
      <EmptyState>{t('workflows.empty')}</EmptyState>
    </div>
  );
}

interface ToolsProps extends Pick<FlowGraphProps, 'editing'> {
  readonly commands: ReturnType<typeof graphCommands>;
}

function Tools({ editing, commands }: ToolsProps) {
  // What can be undone changes with the flow.
  useFlow(editing);
  return (
    <Panel position="bottom-left" className={classes['tools'] ?? ''}>
      {Object.values(commands).map((command) => (
        <CommandIconButton key={command.id} command={command} />
      ))}
    </Panel>
  );
}

/** How the whole graph is brought into view. */
const fitOptions = { padding: 0.15, maxZoom: 1 } as const;

/** The buttons of the graph. */
function graphCommands(
  editing: FlowEditing,
  instance: ReactFlowInstance<ShownNode, ShownWire>,
  add: () => void,
) {
  const zoom = (by: number) => void instance.zoomTo(instance.getZoom() * by);
  return {
    add: { id: 'flow.add', label: 'workflows.addNode', icon: 'plus', keys: 'N', run: add },
    undo: {
      id: 'flow.undo',
      label: 'workflows.undo',
      icon: 'arrow-counter-clockwise',
      keys: 'mod+Z',
      can: () => editing.canUndo,
      run: () => editing.undo(),
    },
    redo: {
      id: 'flow.redo',
      label: 'workflows.redo',
      icon: 'arrow-clockwise',
      keys: 'mod+Shift+Z',
      can: () => editing.canRedo,
      run: () => editing.redo(),
    },
    zoomIn: { id: 'flow.zoomIn', label: 'workflows.zoomIn', icon: 'plus-circle', run: () => zoom(1.25) },
    zoomOut: { id: 'flow.zoomOut', label: 'workflows.zoomOut', icon: 'minus-circle', run: () => zoom(0.8) },
    fit: {
      id: 'flow.fit',
      label: 'workflows.fit',
      icon: 'arrows-out',
      run: () => void instance.fitView(fitOptions),
    },
  } as const satisfies Readonly<Record<string, Command>>;
}
