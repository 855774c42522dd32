import { t, useLanguage } from '../../../base/i18n/index.ts';
import '@xyflow/react/dist/base.css';
import { Background, BackgroundVariant, ReactFlow, ReactFlowProvider } from '@xyflow/react';
import { useMemo } from 'react';
import { findNode, type NodeTypes, wireKey } from '../../../content/flow.ts';
import graphClasses from '../canvas/flow-graph.module.css';
import { FlowStep } from '../canvas/flow-step.tsx';
import { type ShownNode, type ShownWire, shownNodes, shownWires } from '../canvas/shown-flow.ts';
import type { FlowDifferences } from '../model/differences.ts';
import { nodeName } from '../state/looks.ts';
import classes from './versions.module.css';

export interface ComparisonGraphProps {
  readonly differences: FlowDifferences;
  readonly types: NodeTypes;
  readonly chosen: string | undefined;
  onChoose(id: string): void;
}

const nodeTypes = { step: FlowStep };
const nothing = new Map<string, never>();

/** Both states in one graph that only shows. The list below it says the same, and can be used by keys. */
export function ComparisonGraph({ differences, types, chosen, onChoose }: ComparisonGraphProps) {
  const { flow, nodes, wires } = differences;
  const shown = useMemo((): ShownNode[] => {
    const changes = new Map([...nodes].map(([id, { change }]) => [id, change]));
    return shownNodes({
      flow,
      types,
      chosen: new Set(chosen === undefined ? [] : [chosen]),
      current: undefined,
      faults: nothing,
      traces: undefined,
      dragged: nothing,
      colors: nothing,
      changes,
    });
  }, [flow, types, nodes, chosen]);
  const language = useLanguage();
  const edges = useMemo((): ShownWire[] => {
    const byKey = new Map(flow.wires.map((wire) => [wireKey(wire), wire]));
    const nameOf = (key: string) => {
      const wire = byKey.get(key);
      const [from, to] = [findNode(flow, wire?.from), findNode(flow, wire?.to)];
      return t('workflows.wireLabel', {
        from: from && nodeName(from),
        to: to && nodeName(to),
        lng: language,
      });
    };
    const changes = new Map([...wires].map(([key, { change }]) => [key, change]));
    return shownWires({ flow, chosen: new Set(), traces: undefined, changes }, nameOf);
  }, [flow, wires, language]);
  return (
    <ReactFlowProvider>
      <section
        className={`${graphClasses['graph']} ${classes['graph']}`}
        aria-label={t('workflows.versions.graph')}
      >
        <ReactFlow<ShownNode, ShownWire>
          nodes={shown}
          edges={edges}
          nodeTypes={nodeTypes}
          onNodeClick={(_event, { id }) => onChoose(id)}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          zoomOnDoubleClick={false}
          preventScrolling={false}
          zoomOnScroll={false}
          minZoom={0.1}
          maxZoom={2}
          fitView
          fitViewOptions={{ padding: 0.15, maxZoom: 1 }}
          proOptions={{ hideAttribution: true }}
        >
          <Background variant={BackgroundVariant.Dots} gap={16} size={1} />
        </ReactFlow>
      </section>
    </ReactFlowProvider>
  );
}
