import Type, { type Static } from 'typebox';
import { baseUpdatedAt, fieldLimits, serverFields } from '../../content/common-fields.ts';

const text = (description: string, maxLength: number = fieldLimits.name) =>
  Type.String({ maxLength, description });
const nodeId = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });

/** Most nodes and wires of a flow. */
const maxNodes = 1000;
const maxWires = 5000;

const FlowNode = Type.Object(
  {
    id: nodeId('Unique in the flow.'),
    type: text('What it does, such as `function`.', 100),
    name: text('Name for people; empty = none.'),
    x: Type.Number({ description: 'Place in the editor.' }),
    y: Type.Number({ description: 'Place in the editor.' }),
    config: Type.Record(Type.String(), Type.Unknown(), { description: 'Settings of its type.' }),
  },
  { title: 'WorkflowNode', description: 'A step of a workflow.' },
);

const FlowWire = Type.Object(
  {
    from: nodeId('ID of the node that sends.'),
    out: Type.Integer({ minimum: 0, description: 'Which of its outputs, counted from 0.' }),
    to: nodeId('ID of the node that receives.'),
  },
  { title: 'WorkflowWire', description: 'Leads messages from an output of a node to another node.' },
);

export const Flow = Type.Object(
  {
    nodes: Type.Array(FlowNode, { description: 'The steps.' }),
    wires: Type.Array(FlowWire, { description: 'How messages get from step to step.' }),
  },
  { title: 'Flow', description: 'A graph of nodes and wires.' },
);
export type Flow = Static<typeof Flow>;

/** A flow as clients send it. */
export const FlowInput = Type.Object(
  {
    nodes: Type.Array(
      Type.Object({
        id: FlowNode.properties.id,
        type: FlowNode.properties.type,
        name: Type.Optional(FlowNode.properties.name),
        x: Type.Optional(FlowNode.properties.x),
        y: Type.Optional(FlowNode.properties.y),
        config: Type.Optional(FlowNode.properties.config),
      }),
      { maxItems: maxNodes, description: 'The steps.' },
    ),
    wires: Type.Optional(
      Type.Array(
        Type.Object({
          from: FlowWire.properties.from,
          out: Type.Optional(FlowWire.properties.out),
          to: FlowWire.properties.to,
        }),
        { maxItems: maxWires, description: 'How messages get from step to step.' },
      ),
    ),
  },
  {
    title: 'FlowInput',
    description: 'A graph of nodes and wires.',
    examples: [
      {
        nodes: [
          { id: 'start', type: 'inject', config: { payload: '{"n": 1}' } },
          { id: 'show', type: 'debug' },
        ],
        wires: [{ from: 'start', to: 'show' }],
      },
    ],
  },
);
export type FlowInput = Static<typeof FlowInput>;

const fields = {
  name: text('Name for people.'),
  description: text('What it is for.', fieldLimits.text),
  enabled: Type.Boolean({
    description: 'Whether HTTP inputs, schedules and events start it. Runs by hand always work.',
  }),
};

/** What is stored of a workflow. */
export interface StoredWorkflow {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly created_at: number;
  readonly updated_at: number;
  readonly flow: Flow;
}

export const Workflow = Type.Object(
  {
    id: serverFields.id,
    ...fields,
    flow: Flow,
    created_at: serverFields.created_at,
    updated_at: serverFields.updated_at,
    last_run_at: Type.Integer({ description: 'When it ran last, in Unix milliseconds; 0 = never.' }),
    last_status: Type.Enum(['', 'ok', 'error'], { description: 'How its last run ended; empty = never.' }),
    next_run: Type.Integer({ description: 'Its next scheduled run in Unix seconds; 0 = none.' }),
  },
  {
    title: 'Workflow',
    description: 'A graph of nodes that runs by hand, on schedules, at HTTP inputs and after changes.',
  },
);
export type Workflow = Static<typeof Workflow>;

export const WorkflowCreate = Type.Object(
  {
    name: fields.name,
    description: Type.Optional(fields.description),
    enabled: Type.Optional(fields.enabled),
    flow: Type.Optional(FlowInput),
  },
  {
    title: 'WorkflowCreate',
    description: 'A new workflow; enabled unless it says otherwise.',
    examples: [{ name: 'Contact form', flow: { nodes: [], wires: [] } }],
  },
);

export const WorkflowUpdate = Type.Object(
  {
    ...baseUpdatedAt,
    name: Type.Optional(fields.name),
    description: Type.Optional(fields.description),
    enabled: Type.Optional(fields.enabled),
    flow: Type.Optional(FlowInput),
  },
  {
    title: 'WorkflowUpdate',
    description: 'The fields of a workflow that change; a flow replaces the whole flow.',
    examples: [{ enabled: false, base_updated_at: 1767225600 }],
  },
);
