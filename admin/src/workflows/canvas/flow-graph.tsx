import '@xyflow/react/dist/base.css';
import {
  Background,
  BackgroundVariant,
  type Connection,
  MiniMap,
  type NodeChange,
  type OnConnectEnd,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import { type DragEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Command } from '../../commands/command.ts';
import { CommandIconButton } from '../../commands/command-button.tsx';
import { useCommands } from '../../commands/registry.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type FlowEditing, useFlow, useSelection } from '../editor/flow-editing.ts';
import { nodeName } from '../looks.ts';
import type { NodeFaults } from '../model/faults.ts';
import { type FlowWire, faultOfWire, nodeOf, onGrid, type Point, wireKey } from '../model/flow.ts';
import type { RunTraces } from '../model/trace.ts';
import classes from './flow-graph.module.css';
import { FlowStep } from './flow-step.tsx';
import { onGraphClipboard, onGraphKey } from './graph-keys.ts';
import { type ShownNode, type ShownWire, shownNodes, shownWires } from './shown-flow.ts';

/** What a dragged type of node is named in the data of a drag. */
export const draggedType = 'application/x-incipit-node';

/** Where a node is to be added: behind an output that a wire was drawn from, or at a point. */
export interface AddWish {
  readonly behind: { readonly id: string; readonly out?: number } | undefined;
  readonly point: Point;
}

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
const nothingDragged: ReadonlyMap<string, Point> = new Map();

/** The flow as a graph: drag, wire, choose by mouse; everything by keys too. */
export function FlowGraph(props: FlowGraphProps) {
  return (
    <ReactFlowProvider>
      <Graph {...props} />
    </ReactFlowProvider>
  );
}

function Graph({ editing, faults, traces, onAdd, onConnect, onEdit }: FlowGraphProps) {
  const { t } = useTranslation();
  const flow = useFlow(editing);
  const instance = useReactFlow<ShownNode, ShownWire>();
  const box = useRef<HTMLElement>(null);
  const [isConnecting, setConnecting] = useState(false);
  const { nodes, wires, drag } = useShown(editing, faults, traces);
  useFocusOfCurrent(editing, box);

  const place = (): Point => {
    const bounds = box.current?.getBoundingClientRect();
    if (bounds === undefined) return { x: 0, y: 0 };
    return instance.screenToFlowPosition({
      x: bounds.left + bounds.width / 2 - 96,
      y: bounds.top + bounds.height / 2 - 28,
    });
  };
  const add = () => onAdd({ behind: editing.current, point: place() });
  const fit = () => void instance.fitView({ padding: 0.15, maxZoom: 1 });
  const commands = graphCommands({
    editing,
    fit,
    zoom: (by) => void instance.zoomTo(instance.getZoom() * by),
  });
  useCommands([commands.undo, commands.redo]);

  const isValid = ({ source, sourceHandle, target }: Connection | ShownWire) =>
    faultOfWire(editing.flow, wireOf(source, sourceHandle ?? null, target), editing.types) === undefined;
  const endConnect: OnConnectEnd = (event, state) => {
    setConnecting(false);
    const { fromNode, fromHandle, toNode } = state;
    if (fromNode === null || fromHandle?.type !== 'source' || state.isValid === true) return;
    const { clientX, clientY } =
      'changedTouches' in event ? (event.changedTouches[0] ?? { clientX: 0, clientY: 0 }) : event;
    // A wire may end anywhere on a node; one that ends nowhere asks for a new node.
    const target = toNode?.id ?? nodeUnder(clientX, clientY);
    if (target !== undefined) {
      const wire = wireOf(fromNode.id, fromHandle.id ?? null, target);
      if (faultOfWire(editing.flow, wire, editing.types) === undefined) editing.connect(wire);
      return;
    }
    const point = instance.screenToFlowPosition({ x: clientX, y: clientY });
    onAdd({
      behind: { id: fromNode.id, out: Number(fromHandle.id) },
      point: { x: point.x, y: point.y - 28 },
    });
  };
  const drop = (event: DragEvent) => {
    const type = event.dataTransfer.getData(draggedType);
    if (type === '') return;
    event.preventDefault();
    const point = instance.screenToFlowPosition({ x: event.clientX, y: event.clientY });
    editing.add(type, undefined, { x: point.x - 96, y: point.y - 28 });
  };
  const clipboard = onGraphClipboard(editing);
  return (
    <section
      ref={box}
      className={classes['graph']}
      aria-label={t('workflows.graph')}
      data-connecting={isConnecting || undefined}
      onKeyDown={onGraphKey({ editing, add, connect: onConnect, edit: onEdit, fit })}
      onCopy={clipboard.copy}
      onCut={clipboard.cut}
      onPaste={clipboard.paste}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes(draggedType)) event.preventDefault();
      }}
      onDrop={drop}
    >
      <p className="visually-hidden">{t('workflows.graphHelp')}</p>
      {flow.nodes.length === 0 && (
        <div className={classes['empty']}>
          <EmptyState>{t('workflows.empty')}</EmptyState>
        </div>
      )}
      <ReactFlow<ShownNode, ShownWire>
        nodes={nodes}
        edges={wires}
        nodeTypes={nodeTypes}
        onNodesChange={drag.onChange}
        onNodeDragStop={drag.onStop}
        onSelectionDragStop={drag.onStop}
        onNodeClick={(event, { id }) =>
          chooseByClick(editing, id, event.shiftKey || event.ctrlKey || event.metaKey)
        }
        onEdgeClick={(_event, { id }) => editing.choose([], [id])}
        onPaneClick={() => editing.choose([])}
        onConnect={({ source, sourceHandle, target }) =>
          editing.connect(wireOf(source, sourceHandle, target))
        }
        onConnectStart={(_event, { handleType }) => setConnecting(handleType === 'source')}
        onConnectEnd={endConnect}
        isValidConnection={isValid}
        connectionRadius={24}
        nodesFocusable={false}
        edgesFocusable={false}
        disableKeyboardA11y
        deleteKeyCode={null}
        selectNodesOnDrag={false}
        elevateNodesOnSelect={false}
        zoomOnDoubleClick={false}
        snapToGrid
        snapGrid={[16, 16]}
        minZoom={0.1}
        maxZoom={2}
        fitView
        fitViewOptions={{ padding: 0.15, maxZoom: 1 }}
        proOptions={{ hideAttribution: true }}
      >
        <Background variant={BackgroundVariant.Dots} gap={16} size={1} />
        <MiniMap pannable zoomable ariaLabel={t('workflows.minimap')} nodeBorderRadius={8} />
        <Panel position="bottom-left" className={classes['tools'] ?? ''}>
          <CommandIconButton
            command={{ id: 'flow.add', label: 'workflows.addNode', icon: 'plus', keys: 'N', run: add }}
          />
          {[commands.undo, commands.redo, commands.zoomIn, commands.zoomOut, commands.fit].map((command) => (
            <CommandIconButton key={command.id} command={command} />
          ))}
        </Panel>
      </ReactFlow>
    </section>
  );
}

/** The nodes and wires to draw, and what a drag does with them. */
function useShown(editing: FlowEditing, faults: NodeFaults, traces: RunTraces | undefined) {
  const { t } = useTranslation();
  const flow = useFlow(editing);
  const selection = useSelection(editing);
  const [dragged, setDragged] = useState(nothingDragged);
  const nodesBefore = useRef<ReadonlyMap<string, ShownNode>>(new Map());
  const wiresBefore = useRef<ReadonlyMap<string, ShownWire>>(new Map());
  const { types } = editing;
  const chosenNodes = useMemo(() => new Set(selection.nodes), [selection]);
  const chosenWires = useMemo(() => new Set(selection.wires), [selection]);
  const current = selection.nodes.at(-1) ?? flow.nodes[0]?.id;
  const nodes = useMemo(() => {
    const shown = { flow, types, chosen: chosenNodes, current, faults, traces, dragged };
    const next = shownNodes(shown, nodesBefore.current);
    nodesBefore.current = new Map(next.map((node) => [node.id, node]));
    return next;
  }, [flow, types, chosenNodes, current, faults, traces, dragged]);
  const wires = useMemo(() => {
    const names = new Map(flow.wires.map((wire) => [wireKey(wire), wire]));
    const nameOf = (key: string) => {
      const wire = names.get(key);
      const [from, to] = [nodeOf(flow, wire?.from), nodeOf(flow, wire?.to)];
      return t('workflows.wireLabel', { from: from && nodeName(from), to: to && nodeName(to) });
    };
    const next = shownWires({ flow, chosen: chosenWires, traces }, wiresBefore.current, nameOf);
    wiresBefore.current = new Map(next.map((wire) => [wire.id, wire]));
    return next;
  }, [flow, chosenWires, traces, t]);
  const latest = useRef(dragged);
  latest.current = dragged;
  const onChange = useCallback(
    (changes: NodeChange<ShownNode>[]) => {
      const moved = changes.flatMap((change) =>
        change.type === 'position' && change.position !== undefined
          ? [[change.id, change.position] as const]
          : [],
      );
      if (moved.length > 0) setDragged((before) => new Map([...before, ...moved]));
      const selected = changes.flatMap((change) => (change.type === 'select' ? [change] : []));
      if (selected.length > 0) chooseChanged(editing, selected);
    },
    [editing],
  );
  const onStop = useCallback(() => {
    editing.moveTo(new Map([...latest.current].map(([id, point]) => [id, onGrid(point)])));
    setDragged(nothingDragged);
  }, [editing]);
  return { nodes, wires, drag: { onChange, onStop } };
}

/** Takes over what a frame around nodes has chosen. */
function chooseChanged(
  editing: FlowEditing,
  changes: readonly { readonly id: string; readonly selected: boolean }[],
): void {
  // A single node is chosen by its click, which knows the keys that are held.
  if (changes.length < 2) return;
  const chosen = new Set(editing.selection.nodes);
  for (const { id, selected } of changes) {
    if (selected) chosen.add(id);
    else chosen.delete(id);
  }
  editing.choose([...chosen]);
}

function chooseByClick(editing: FlowEditing, id: string, isMore: boolean): void {
  const { nodes } = editing.selection;
  const toggled = nodes.includes(id) ? nodes.filter((other) => other !== id) : [...nodes, id];
  editing.choose(isMore ? toggled : [id]);
}

/** The focus goes with the current node as long as it is in the graph. */
function useFocusOfCurrent(editing: FlowEditing, box: { readonly current: HTMLElement | null }): void {
  const { nodes } = useSelection(editing);
  const id = nodes.at(-1);
  useEffect(() => {
    const focused = document.activeElement;
    const isInside = box.current?.contains(focused) === true || focused === document.body;
    if (id === undefined || !isInside) return;
    const steps = box.current?.querySelectorAll<HTMLElement>('[data-node]') ?? [];
    [...steps].find((step) => step.dataset['node'] === id)?.focus({ preventScroll: true });
  }, [id, box]);
}

function nodeUnder(x: number, y: number): string | undefined {
  return document.elementFromPoint(x, y)?.closest<HTMLElement>('.react-flow__node')?.dataset['id'];
}

function wireOf(source: string, handle: string | null, target: string): FlowWire {
  return { from: source, out: Number(handle ?? 0), to: target };
}

interface GraphCommandDeps {
  readonly editing: FlowEditing;
  fit(): void;
  zoom(by: number): void;
}

function graphCommands({ editing, fit, zoom }: GraphCommandDeps) {
  return {
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
    fit: { id: 'flow.fit', label: 'workflows.fit', icon: 'arrows-out', run: fit },
  } as const satisfies Readonly<Record<string, Command>>;
}
