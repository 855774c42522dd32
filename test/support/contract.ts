import { Compile } from 'typebox/schema';
import { masterToken, type TestServer } from './server.ts';

/** An answer with its call. */
export interface ObservedAnswer {
  readonly method: string;
  /** Below `/api/v1`, with the query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

/**
 * Compares an answer with the OpenAPI document of the server. The endpoint must declare its status and its content
 * type, the body must have the declared fields, and a successful one may have no others.
 *
 * @throws Error that names the difference
 */
export async function checkContract(server: Pick<TestServer, 'url'>, answer: ObservedAnswer): Promise<void> {
  if (answer.method === 'HEAD') return;
  const operation = (await operationsOf(server)).find(
    ({ method, pattern }) => method === answer.method && pattern.test(answer.path.split('?')[0] || '/'),
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

const known = new WeakMap<Pick<TestServer, 'url'>, Promise<Operation[]>>();

/** Fetched once for each server, with a credential, so that it does not use the budget of anonymous callers. */
function operationsOf(server: Pick<TestServer, 'url'>): Promise<Operation[]> {
  const operations = known.get(server) ?? fetchOperations(server);
  known.set(server, operations);
  return operations;
}

async function fetchOperations(server: Pick<TestServer, 'url'>): Promise<Operation[]> {
  const response = await fetch(`${server.url}/api/v1/openapi.json`, {
    headers: { Authorization: `Bearer ${masterToken}` },
  });
  const document: unknown = await response.json();
  const responses = member(member(document, 'components'), 'responses');
  // Paths with fewer placeholders come first: a literal segment wins, as in the router.
  const paths = entries(member(document, 'paths')).sort(([a], [b]) => placeholders(a) - placeholders(b));
  return paths.flatMap(([path, methods]) =>
    entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      answers: new Map(
        entries(member(operation, 'responses')).map(([status, answer]) => [
          status,
          declaredAnswer(document, resolve(answer, responses), status < '400'),
        ]),
      ),
    })),
  );
}

function placeholders(path: string): number {
  return path.split('{').length;
}

function declaredAnswer(document: unknown, answer: unknown, isSuccess: boolean): DeclaredAnswer {
  const [content] = entries(member(answer, 'content'));
  const schemas = member(member(document, 'components'), 'schemas');
  const schema = inlined(member(content?.[1], 'schema'), schemas);
  return { contentType: content?.[0], validator: Compile(asSchema(isSuccess ? closed(schema) : schema)) };
}

/** The schema with the named schemas in the place of all references. */
export function inlined(schema: unknown, schemas: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((part) => inlined(part, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const named = resolve(schema, schemas);
  if (named !== schema) return inlined(named, schemas);
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, inlined(value, schemas)]));
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

/** The component that a reference names; any other value unchanged. */
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
