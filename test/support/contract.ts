import { Compile } from 'typebox/schema';
import { masterToken, type TestServer } from './server.ts';

/** One answer, and the call it belongs to. */
export interface ObservedAnswer {
  readonly method: string;
  /** Below `/api/v1`, with the query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

/**
 * Holds an answer against what the server's own OpenAPI document says of the endpoint: its status is declared, its
 * content type is the declared one and its body has the declared fields and, when it succeeded, no others.
 *
 * @throws Error naming what differs
 */
export async function checkContract(server: TestServer, answer: ObservedAnswer): Promise<void> {
  if (answer.method === 'HEAD') return;
  const operation = (await operationsOf(server)).find(
    ({ method, pattern }) => method === answer.method && pattern.test(answer.path.split('?')[0] ?? ''),
  );
  // An unknown path or method has no contract beyond the form of errors.
  const declared = operation?.answers.get(String(answer.status)) ?? operation?.answers.get('default');
  const name = `${answer.method} ${answer.path} answered ${answer.status}`;
  if (declared === undefined) {
    if (answer.status < 400) throw new Error(`${name}: not described`);
    return;
  }
  if (answer.status < 400 && operation?.answers.has(String(answer.status)) !== true)
    throw new Error(`${name}: only ${[...(operation?.answers.keys() ?? [])].join(', ')} are described`);
  if (declared.contentType === undefined) {
    if (answer.text !== '') throw new Error(`${name}: a body that is not described`);
    return;
  }
  const type = answer.contentType?.split(';')[0];
  if (type !== declared.contentType) throw new Error(`${name}: ${type} instead of ${declared.contentType}`);
  if (type !== 'application/json') return;
  const [valid, errors] = declared.validator.Errors(JSON.parse(answer.text));
  if (!valid) throw new Error(`${name}: not as described: ${JSON.stringify(errors.slice(0, 3))}`);
}

interface Operation {
  readonly method: string;
  readonly pattern: RegExp;
  /** By status, or `default`. */
  readonly answers: ReadonlyMap<string, DeclaredAnswer>;
}

interface DeclaredAnswer {
  readonly contentType: string | undefined;
  readonly validator: ReturnType<typeof Compile>;
}

const known = new WeakMap<TestServer, Promise<Operation[]>>();

/** Asked once per server, with a credential, so that the budget of anonymous callers stays untouched. */
function operationsOf(server: TestServer): Promise<Operation[]> {
  const operations = known.get(server) ?? fetchOperations(server);
  known.set(server, operations);
  return operations;
}

async function fetchOperations(server: TestServer): Promise<Operation[]> {
  const response = await fetch(`${server.url}/api/v1/openapi.json`, {
    headers: { Authorization: `Bearer ${masterToken}` },
  });
  const document: unknown = await response.json();
  const responses = member(member(document, 'components'), 'responses');
  // A literal segment goes before a placeholder, as in the router.
  const paths = entries(member(document, 'paths')).sort(([a], [b]) => placeholders(a) - placeholders(b));
  return paths.flatMap(([path, methods]) =>
    entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      answers: new Map(
        entries(member(operation, 'responses')).map(([status, answer]) => [
          status,
          declaredAnswer(document, resolve(answer, responses)),
        ]),
      ),
    })),
  );
}

function placeholders(path: string): number {
  return path.split('{').length;
}

function declaredAnswer(document: unknown, answer: unknown): DeclaredAnswer {
  const [content] = entries(member(answer, 'content'));
  const schema = member(content?.[1], 'schema');
  const schemas = member(member(document, 'components'), 'schemas');
  return { contentType: content?.[0], validator: Compile(asSchema(resolve(closed(schema), schemas))) };
}

/** The schema with every object limited to the properties it lists. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in inner && !('additionalProperties' in inner)
    ? { ...inner, additionalProperties: false }
    : inner;
}

/** What a reference to a component names; anything else as it is. */
function resolve(value: unknown, components: unknown): unknown {
  const reference = member(value, '$ref');
  return typeof reference === 'string' ? member(components, reference.split('/').at(-1) ?? '') : value;
}

function asSchema(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function entries(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
