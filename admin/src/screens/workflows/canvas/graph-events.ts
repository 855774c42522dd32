/** What the mouse does in the graph. */
import type { Connection, OnConnectEnd, ReactFlowInstance, ReactFlowProps } from '@xyflow/react';
import type { DragEvent } from 'react';
import { type FlowWire, faultOfWire, type Point } from '../../../content/flow.ts';
import type { FlowEditing } from '../state/flow-editing.ts';
import type { ShownNode, ShownWire } from './shown-flow.ts';

/** What a dragged type of node is named in the data of a drag. */
export const draggedType = 'application/x-incipit-node';

/** Where a node is to be added: behind an output that a wire was drawn from, or at a point. */
export interface AddWish {
  readonly behind: { readonly id: string; readonly out?: number } | undefined;
  readonly point: Point;
}

export interface GraphEventsDeps {
  readonly editing: FlowEditing;
  readonly instance: ReactFlowInstance<ShownNode, ShownWire>;
  onAdd(wish: AddWish): void;
  /** A wire is being drawn from an output. */
  onConnecting(isConnecting: boolean): void;
}

/** Made once for a graph: handlers that change would make React Flow tell all nodes of it. */
export function graphEvents({ editing, instance, onAdd, onConnecting }: GraphEventsDeps) {
  const isFree = (wire: FlowWire) => faultOfWire(editing.flow, wire, editing.types) === undefined;
  const onConnectEnd: OnConnectEnd = (event, { fromNode, fromHandle, toNode, isValid }) => {
    onConnecting(false);
    if (fromNode === null || fromHandle?.type !== 'source' || isValid === true) return;
    const { clientX, clientY } =
      'changedTouches' in event ? (event.changedTouches[0] ?? { clientX: 0, clientY: 0 }) : event;
    // A wire may end anywhere on a node; one that ends nowhere asks for a new node.
    const target = toNode?.id ?? nodeUnder(clientX, clientY);
    if (target !== undefined) {
      const wire = wireOf(fromNode.id, fromHandle.id ?? null, target);
      if (isFree(wire)) editing.connect(wire);
      return;
    }
    const point = instance.screenToFlowPosition({ x: clientX, y: clientY });
    onAdd({
      behind: { id: fromNode.id, out: Number(fromHandle.id) },
      point: { x: point.x, y: point.y - halfHeight },
    });
  };
  return {
    flow: {
      onNodeClick: (event, { id }) =>
        chooseByClick(editing, id, event.shiftKey || event.ctrlKey || event.metaKey),
      onEdgeClick: (_event, { id }) => editing.choose([], [id]),
      onPaneClick: () => editing.choose([]),
      onConnect: ({ source, sourceHandle, target }) => editing.connect(wireOf(source, sourceHandle, target)),
      onConnectStart: (_event, { handleType }) => onConnecting(handleType === 'source'),
      onConnectEnd,
      isValidConnection: ({ source, sourceHandle, target }: Connection | ShownWire) =>
        isFree(wireOf(source, sourceHandle ?? null, target)),
    } satisfies Partial<ReactFlowProps<ShownNode, ShownWire>>,
    drop: (event: DragEvent) => {
      const type = event.dataTransfer.getData(draggedType);
      if (type === '') return;
      event.preventDefault();
      const point = instance.screenToFlowPosition({ x: event.clientX, y: event.clientY });
      editing.add(type, undefined, { x: point.x - halfWidth, y: point.y - halfHeight });
    },
    /** Where a new node is in the middle of an element. */
    middleOf: (element: HTMLElement | null): Point => {
      if (element === null) return { x: 0, y: 0 };
      const { left, top, width, height } = element.getBoundingClientRect();
      const point = instance.screenToFlowPosition({ x: left + width / 2, y: top + height / 2 });
      return { x: point.x - halfWidth, y: point.y - halfHeight };
    },
  };
}

/** Half the size of a node with one output, in pixels. */
const halfWidth = 96;
const halfHeight = 28;

function chooseByClick(editing: FlowEditing, id: string, isMore: boolean): void {
  const { nodes } = editing.selection;
  const toggled = nodes.includes(id) ? nodes.filter((other) => other !== id) : [...nodes, id];
  editing.choose(isMore ? toggled : [id]);
}

function nodeUnder(x: number, y: number): string | undefined {
  return document.elementFromPoint(x, y)?.closest<HTMLElement>('.react-flow__node')?.dataset['id'];
}

function wireOf(source: string, handle: string | null, target: string): FlowWire {
  return { from: source, out: Number(handle ?? 0), to: target };
}
