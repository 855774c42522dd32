import Type from 'typebox';
import { faultOfCron } from '../message/cron.ts';

import { runCode } from './code.ts';
import { defineNode } from './node-type.ts';
import { cronField, hints, shortText } from './settings.ts';

/** Most outputs of a custom node. */
const maxOutputs = 10;

/** A node that a user has defined. Its present definition runs; its wires fit the definition at the last save. */
export const customNode = defineNode({
  config: Type.Object({
    node: shortText(200, hints('custom-node')),
    params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    inputs: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })),
    outputs: Type.Optional(
      Type.Union([
        Type.Integer({ minimum: 0, maximum: maxOutputs }),
        Type.Array(shortText(200), { maxItems: maxOutputs }),
      ]),
    ),
    cron: Type.Optional(cronField),
  }),
  runsCode: true,
  isStart: ({ node, inputs }, definitions) => (inputs ?? definitions.find(node)?.inputs ?? 1) === 0,
  outputsBy: 'outputs',
  outputs({ node, outputs }, definitions) {
    if (typeof outputs === 'number') return outputs;
    return (outputs ?? definitions.find(node)?.outputs ?? []).length;
  },
  faults: ({ node, cron = '' }, definitions) => [
    ...(definitions.find(node) === undefined
      ? [{ field: 'node', reason: `names the unknown custom node ${JSON.stringify(node)}` }]
      : []),
    ...faultOfCron('cron', cron),
  ],
  trigger: ({ cron = '' }) => (cron.trim() === '' ? undefined : { kind: 'cron', pattern: cron.trim() }),
  build:
    ({ node, params = {} }, { services }) =>
    (message, run) => {
      const definition = services.definitions.find(node);
      if (definition === undefined) throw new Error(`there is no custom node "${node}"`);
      const { code, outputs } = definition;
      const values = services.definitions.parametersOf(definition, params);
      const task = { code, outputs: outputs.length, params: values };
      return runCode(services, task, message, run);
    },
});
