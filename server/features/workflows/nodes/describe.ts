/** What editors have to know of the types of nodes: their ports, and the schemas of their settings. */
import Type, { type Static } from 'typebox';
import type { FlowNodeDefinitions } from '../custom-nodes/model.ts';
import { nodeTypes } from './index.ts';

/** What is told of a type holds for every custom node. */
const noDefinitions: FlowNodeDefinitions = { find: () => undefined, parametersOf: () => ({}) };

export const NodeTypeInfo = Type.Object(
  {
    type: Type.String({ description: 'Name, such as `function`.' }),
    start: Type.Boolean({ description: 'Whether it starts runs and has no input.' }),
    outputs: Type.Integer({ description: 'Number of its outputs with settings that are left out.' }),
    outputs_by: Type.String({
      description: 'Setting that decides the number of outputs: a number, or a list; empty = none.',
    }),
    config: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'JSON Schema of its settings. `x-editor` names how a text is edited, `x-only-for` the values of other ' +
        'settings with which a setting has an effect.',
    }),
  },
  { title: 'WorkflowNodeType', description: 'A type of node.' },
);

/** All types of nodes, in the order in which they are offered. */
export function describeNodeTypes(): Static<typeof NodeTypeInfo>[] {
  return [...nodeTypes].map(([type, { config, isStart, outputs, outputsBy = '' }]) => ({
    type,
    start: type !== 'custom' && (isStart?.({}, noDefinitions) ?? false),
    outputs: outputs({}, noDefinitions),
    outputs_by: outputsBy,
    config: { ...config },
  }));
}
