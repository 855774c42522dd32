import { deadlyCodes, harmlessCodes } from '../../test/server/sandbox/hostile-codes.ts';

/** A flow that an author could save. */
export interface HostileFlow {
  readonly what: string;
  readonly flow: { readonly nodes: readonly object[]; readonly wires: readonly object[] };
}

const start = { id: 'start', type: 'inject' };
const code = (id: string, text: string) => ({ id, type: 'function', config: { code: text } });
const wire = (from: string, to: string, out = 0) => ({ from, to, out });
const big = 8 * 2 ** 20;

/** Messages of 8 MB that cost most where they are read or written. */
const longMessages: Readonly<Record<string, string>> = {
  'a long text': `return { payload: "x".repeat(${big}) }`,
  'many small objects': `return { payload: Array.from({ length: ${big} / 8 }, (_, n) => ({ a: n % 9 })) }`,
  'many empty lists': `return { payload: Array.from({ length: ${big} / 8 }, () => []) }`,
  'too many names': `const payload = {}; for (let n = 0; n < ${big} / 16; n++) payload["k" + n] = n; return { payload }`,
  'many names': `const payload = Array.from({ length: 10 }, () => { const o = {}; for (let n = 0; n < 49_000; n++) o["k" + n] = n; return o; }); return { payload }`,
  'characters that are escaped': `return { payload: "\\u0001\\n".repeat(${big} / 9) }`,
};

/** What a node does with a long message. */
const readers: Readonly<Record<string, object>> = {
  switch: { type: 'switch', config: { property: 'payload.length', rules: [{ op: 'gt', value: 1 }] } },
  debug: { type: 'debug', config: { property: 'payload' } },
  'http-response': { type: 'http-response', config: {} },
  join: { type: 'join', config: { count: 1 } },
  'function again': { type: 'function', config: { code: 'return msg' } },
};

/** The hostile codes as flows of one node, and flows whose graph or messages are hostile. */
export function* hostileFlows(): Generator<HostileFlow> {
  for (const { what, code: text } of [...deadlyCodes, ...harmlessCodes])
    yield { what, flow: { nodes: [start, code('it', text)], wires: [wire('start', 'it')] } };
  for (const [message, text] of Object.entries(longMessages))
    for (const [reader, node] of Object.entries(readers))
      yield {
        what: `${message} for ${reader}`,
        flow: {
          nodes: [start, code('make', text), { id: 'read', ...node }],
          wires: [wire('start', 'make'), wire('make', 'read')],
        },
      };
  yield {
    what: 'a circle',
    flow: {
      nodes: [start, { id: 'it', type: 'switch', config: { property: 'payload', rules: [{ op: 'else' }] } }],
      wires: [wire('start', 'it'), wire('it', 'it'), wire('it', 'it')],
    },
  };
  yield {
    what: 'a circle of code',
    flow: {
      nodes: [start, code('it', 'return msg')],
      wires: [wire('start', 'it'), wire('it', 'it'), wire('it', 'it')],
    },
  };
  yield {
    what: 'many messages for many nodes',
    flow: {
      nodes: [
        start,
        code('it', 'return [Array.from({ length: 9000 }, (_, payload) => ({ payload }))]'),
        ...Array.from({ length: 20 }, (_, index) => ({
          id: `d${index}`,
          type: 'debug',
          config: { property: 'msg' },
        })),
      ],
      wires: [wire('start', 'it'), ...Array.from({ length: 20 }, (_, index) => wire('it', `d${index}`))],
    },
  };
}
