import type { NodeChange } from '@xyflow/react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { onGrid, type Point, wireKey } from '../../../content/flow.ts';
import { flowNodes } from '../../../content/workflows.ts';
import type { NodeFaults } from '../model/faults.ts';
import type { RunTraces } from '../model/trace.ts';
import { type FlowEditing, useFlow, useSelection } from '../state/flow-editing.ts';
import { nodeName } from '../state/looks.ts';
import { type ShownNode, type ShownWire, shownNodes, shownWires } from './shown-flow.ts';

const nothingDragged: ReadonlyMap<string, Point> = new Map();

/** The nodes and wires to draw, and what a drag does with them. */
export function useShown(editing: FlowEditing, faults: NodeFaults, traces: RunTraces | undefined) {
  const { t } = useTranslation();
  const flow = useFlow(editing);
  const selection = useSelection(editing);
  const colors = useColors();
  const [dragged, setDragged] = useState(nothingDragged);
  const nodesBefore = useRef<ReadonlyMap<string, ShownNode>>(new Map());
  const wiresBefore = useRef<ReadonlyMap<string, ShownWire>>(new Map());
  const { types } = editing;
  const chosenNodes = useMemo(() => new Set(selection.nodes), [selection]);
  const chosenWires = useMemo(() => new Set(selection.wires), [selection]);
  const current = selection.nodes.at(-1) ?? flow.nodes[0]?.id;
  const nodes = useMemo(() => {
    const shown = { flow, types, chosen: chosenNodes, current, faults, traces, dragged, colors };
    const next = shownNodes(shown, nodesBefore.current);
    nodesBefore.current = new Map(next.map((node) => [node.id, node]));
    return next;
  }, [flow, types, chosenNodes, current, faults, traces, dragged, colors]);
  const wires = useMemo(() => {
    const byKey = new Map(flow.wires.map((wire) => [wireKey(wire), wire]));
    const names = new Map(flow.nodes.map((node) => [node.id, nodeName(node)]));
    const nameOf = (key: string) => {
      const wire = byKey.get(key);
      return t('workflows.wireLabel', { from: wire && names.get(wire.from), to: wire && names.get(wire.to) });
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

/** Colours of custom nodes, by the key of the definition. */
function useColors(): ReadonlyMap<string, string> {
  const { data: definitions } = flowNodes.useList();
  return useMemo(
    () => new Map((definitions ?? []).flatMap(({ key, color }) => (color === '' ? [] : [[key, color]]))),
    [definitions],
  );
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
