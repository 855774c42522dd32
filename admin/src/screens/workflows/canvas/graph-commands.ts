import type { ReactFlowInstance } from '@xyflow/react';
import type { Command } from '../../../commands/command.ts';
import type { FlowEditing } from '../state/flow-editing.ts';
import type { ShownNode, ShownWire } from './shown-flow.ts';

/** How the whole graph is brought into view. */
export const fitOptions = { padding: 0.15, maxZoom: 1 } as const;

/** The buttons of the graph. */
export function graphCommands(
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
