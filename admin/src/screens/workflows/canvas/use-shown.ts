import type { NodeChange } from '@xyflow/react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { t, useLanguage } from '../../../base/i18n/index.ts';
import { onGrid, type Point, wireKey } from '../../../content/flow.ts';
import { flowNodes } from '../../../content/workflows.ts';
import type { NodeFaults } from '../model/faults.ts';
import type { RunTraces } from '../model/trace.ts';
import { type FlowEditing, useFlow, useSelection } from '../state/flow-editing.ts';
import { nodeName } from '../state/looks.ts';
import { keepNode, keepWire, type ShownNode, shownNodes, shownWires } from './shown-flow.ts';

const nothingDragged: ReadonlyMap<string, Point> = new Map();

/** The nodes and wires to draw, and what a drag does with them. */
export function useShown(editing: FlowEditing, faults: NodeFaults, traces: RunTraces | undefined) {
  const flow = useFlow(editing);
  const selection = useSelection(editing);
  const colors = useColors();
  const [dragged, setDragged] = useState(nothingDragged);
  const { types } = editing;
  const language = useLanguage();
  const chosenNodes = useMemo(() => new Set(selection.nodes), [selection]);
  const chosenWires = useMemo(() => new Set(selection.wires), [selection]);
  const current = selection.nodes.at(-1) ?? flow.nodes[0]?.id;
  const allNodes = useMemo(
    () => shownNodes({ flow, types, chosen: chosenNodes, current, faults, traces, dragged, colors }),
    [flow, types, chosenNodes, current, faults, traces, dragged, colors],
  );
  const allWires = useMemo(() => {
    const byKey = new Map(flow.wires.map((wire) => [wireKey(wire), wire]));
    const names = new Map(flow.nodes.map((node) => [node.id, nodeName(node)]));
    const nameOf = (key: string) => {
      const wire = byKey.get(key);
      const [from, to] = [wire && names.get(wire.from), wire && names.get(wire.to)];
      return t('workflows.wireLabel', { from, to, lng: language });
    };
    return shownWires({ flow, chosen: chosenWires, traces }, nameOf);
  }, [flow, chosenWires, traces, language]);
  const nodes = useKept(allNodes, keepNode);
  const wires = useKept(allWires, keepWire);
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

/** Parts of the graph that look the same stay the same objects, so they are not drawn again. */
function useKept<Item extends { readonly id: string }>(
  next: readonly Item[],
  keep: (before: Item | undefined, next: Item) => Item,
): Item[] {
  const before = useRef<ReadonlyMap<string, Item>>(new Map());
  const kept = useMemo(() => next.map((item) => keep(before.current.get(item.id), item)), [next, keep]);
  useEffect(() => {
    before.current = new Map(kept.map((item) => [item.id, item]));
  }, [kept]);
  return kept;
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
