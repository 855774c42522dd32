import Type, { type Static } from 'typebox';
import { baseUpdatedAt, fieldLimits, serverFields } from '../../../content/common-fields.ts';

/** Data, Automation and Operations, "Limits"; the others keep lists in a size that people can read. */
export const flowNodeLimits = { outputs: 10, params: 50, options: 200, code: 256 * 1024, key: 64 } as const;

const shortText = (description: string) => Type.String({ maxLength: fieldLimits.name, description });

export const FlowNodeParam = Type.Object(
  {
    name: shortText('Name in the code, as `params.<name>`: a JavaScript identifier.'),
    label: Type.Optional(shortText('Name for people; empty = `name`.')),
    type: Type.Enum(['text', 'textarea', 'number', 'checkbox', 'select'], {
      description: 'How people enter the value.',
    }),
    options: Type.Optional(
      Type.Array(shortText('A value.'), {
        maxItems: flowNodeLimits.options,
        description: 'Values of a `select`, which needs them.',
      }),
    ),
    default: Type.Optional(
      Type.Union([Type.String({ maxLength: fieldLimits.text }), Type.Number(), Type.Boolean()], {
        description: 'Value where a workflow sets none.',
      }),
    ),
    help: Type.Optional(Type.String({ maxLength: fieldLimits.text, description: 'Explanation for people.' })),
  },
  { title: 'FlowNodeParam', description: 'A parameter of a custom node.' },
);
export type FlowNodeParam = Static<typeof FlowNodeParam>;

const fields = {
  name: Type.String({ maxLength: fieldLimits.name, description: 'Name for people.' }),
  description: Type.String({ maxLength: fieldLimits.text, description: 'What the node does.' }),
  color: Type.String({ maxLength: 50, description: 'Colour in the editor.' }),
  inputs: Type.Integer({ minimum: 0, maximum: 1, description: '1, or 0 for a start node.' }),
  outputs: Type.Array(shortText('Label of the output.'), {
    maxItems: flowNodeLimits.outputs,
    description: 'A label for each output. A start node has at least one.',
  }),
  params: Type.Array(FlowNodeParam, {
    maxItems: flowNodeLimits.params,
    description: 'What a workflow sets for its use of the node.',
  }),
  code: Type.String({
    maxLength: flowNodeLimits.code,
    description:
      'Body of an asynchronous function of `msg`, as in function nodes; `params` has the parameters.',
  }),
};
const key = Type.String({
  maxLength: flowNodeLimits.key,
  description: 'Name of the node in flows; made from `name` if it is left out, never changed.',
});

const example = {
  key: 'add_tax',
  name: 'Add tax',
  description: '',
  color: '',
  inputs: 1,
  outputs: ['with tax'],
  params: [{ name: 'rate', label: 'Rate in %', type: 'number', default: 19 }],
  code: 'msg.payload *= 1 + params.rate / 100;\nreturn msg;',
} as const;

export const FlowNode = Type.Object(
  {
    id: serverFields.id,
    key,
    ...fields,
    created_at: serverFields.created_at,
    updated_at: serverFields.updated_at,
  },
  {
    title: 'FlowNode',
    description: 'A node of workflows that is written by authors.',
    examples: [{ id: 1, ...example, created_at: 1767225600, updated_at: 1767225600 }],
  },
);
export type FlowNode = Static<typeof FlowNode>;

const { name, ...others } = fields;

export const FlowNodeCreate = Type.Object(
  { key: Type.Optional(key), name, ...Type.Partial(Type.Object(others)).properties },
  { title: 'FlowNodeCreate', description: 'A new custom node.', examples: [example] },
);
export type FlowNodeCreate = Static<typeof FlowNodeCreate>;

export const FlowNodeUpdate = Type.Object(
  { ...baseUpdatedAt, ...Type.Partial(Type.Object(fields)).properties },
  {
    title: 'FlowNodeUpdate',
    description: 'The fields of a custom node that change. The key stays.',
    examples: [{ color: '#3366cc', base_updated_at: 1767225600 }],
  },
);
export type FlowNodeUpdate = Static<typeof FlowNodeUpdate>;

export const FlowNodeTest = Type.Object(
  {
    node: Type.Object(Type.Partial(FlowNodeCreate).properties, {
      description: 'The definition, which need not be stored.',
    }),
    params: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Values of the parameters, by name.' }),
    ),
    msg: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'The message; default: an empty payload.' }),
    ),
  },
  {
    title: 'FlowNodeTest',
    description: 'A try of a custom node.',
    examples: [{ node: example, params: { rate: 7 }, msg: { payload: 100 } }],
  },
);
export type FlowNodeTest = Static<typeof FlowNodeTest>;

const LogEntry = Type.Object(
  {
    level: Type.Enum(['log', 'warn', 'error'], { description: 'How important it is.' }),
    node: Type.String({ description: 'ID of the node in its flow; empty in a test.' }),
    label: Type.String({ description: 'Name of the node.' }),
    message: Type.String({ description: 'What was logged.' }),
    time: Type.Integer({ description: 'When, in Unix milliseconds.' }),
  },
  { title: 'FlowNodeTestLog', description: 'A log entry of a tried node.' },
);

export const FlowNodeTestResult = Type.Object(
  {
    status: Type.Enum(['ok', 'error'], { description: 'Whether the code came to its end.' }),
    error: Type.String({ description: 'Why it did not; empty if it did.' }),
    line: Type.Integer({
      description: 'Line of the error in the code; 0 if there is none or it is unknown.',
    }),
    column: Type.Integer({ description: 'Column of the error; 0 like `line`.' }),
    outputs: Type.Array(Type.String(), {
      description:
        'For each output the message that was sent as JSON, a list of them if there were several, empty if none.',
    }),
    logs: Type.Array(LogEntry, { description: 'What the code has logged.' }),
    duration_ms: Type.Number({ description: 'How long it took, in milliseconds.' }),
  },
  { title: 'FlowNodeTestResult', description: 'What a tried node did.' },
);
export type FlowNodeTestResult = Static<typeof FlowNodeTestResult>;

/** The definitions of custom nodes. */
export interface FlowNodeDefinitions {
  /** The definition as committed; undefined for an unknown key. */
  find(key: string): FlowNode | undefined;
  /** What the code gets as `params`. @throws Error for a value that does not fit */
  parametersOf(node: FlowNode, given: Readonly<Record<string, unknown>>): object;
}
