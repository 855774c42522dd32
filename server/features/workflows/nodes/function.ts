import Type from 'typebox';
import { runCode } from './code.ts';
import { defineNode } from './node-type.ts';
import { codeField } from './settings.ts';

/** Runs code of the author. */
export const functionNode = defineNode({
  config: Type.Object({
    code: Type.Optional(codeField),
    outputs: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
  }),
  runsCode: true,
  outputsBy: 'outputs',
  outputs: ({ outputs = 1 }) => outputs,
  code: ({ code = '' }) => code,
  build:
    ({ code = '', outputs = 1 }, { services }) =>
    (message, run) =>
      runCode(services, { code, outputs }, message, run),
});
