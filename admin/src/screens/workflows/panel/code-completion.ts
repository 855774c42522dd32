/** What the code of a function node can use, offered while it is typed. */
import type { CompletionSource } from '@codemirror/autocomplete';

interface Offer {
  readonly label: string;
  readonly detail: string;
}

const offer = (label: string, detail = ''): Offer => ({ label, detail });

/** Members by the name before the dot (Data, Automation and Operations, "Workflows"); the empty name has what stands alone. */
const members: Readonly<Record<string, readonly Offer[]>> = {
  '': [
    offer('msg', 'message'),
    offer('store', 'values of the workflow'),
    offer('idb', 'external databases'),
    offer('node', 'warn, error, send'),
    offer('console', 'log'),
    offer('base64', 'encode, decode'),
    offer('crypto', 'randomUUID'),
  ],
  msg: [
    offer('payload'),
    offer('topic'),
    offer('req', 'of an HTTP input'),
    offer('statusCode'),
    offer('headers'),
    offer('collection', 'of an event'),
  ],
  'msg.req': ['method', 'path', 'params', 'query', 'headers', 'body'].map((name) => offer(name)),
  store: [offer('get', '(key)'), offer('set', '(key, value)'), offer('keys', '()')],
  idb: [
    offer('tables', '(connection)'),
    offer('schema', '(connection, table)'),
    offer('list', '(connection, table, options)'),
    offer('get', '(connection, table, pk)'),
    offer('create', '(connection, table, data)'),
    offer('update', '(connection, table, pk, data)'),
    offer('delete', '(connection, table, pk)'),
  ],
  node: [offer('warn', '(text)'), offer('error', '(text)'), offer('send', '(msg)')],
  console: [offer('log', '(value)'), offer('warn', '(value)'), offer('error', '(value)')],
  base64: [offer('encode', '(text)'), offer('decode', '(text)')],
  crypto: [offer('randomUUID', '()')],
};

/** @param params names of the parameters of a custom node; its code has them as `params` */
export function flowCompletion(params: readonly string[]): CompletionSource {
  const known: Readonly<Record<string, readonly Offer[]>> =
    params.length === 0
      ? members
      : {
          ...members,
          '': [...(members[''] ?? []), offer('params', 'of this use of the node')],
          params: params.map((name) => offer(name)),
        };
  return (context) => {
    const before = context.matchBefore(/(?:[\w$]+\.)*[\w$]*/);
    if (before === null || (before.text === '' && !context.explicit)) return null;
    const dot = before.text.lastIndexOf('.');
    const options = known[dot < 0 ? '' : before.text.slice(0, dot)];
    if (options === undefined) return null;
    return { from: before.from + dot + 1, options: [...options], validFor: /^[\w$]*$/ };
  };
}
