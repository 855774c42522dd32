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

/** A server; those of one program have the same document, whatever their options are. */
export type DescribedServer = Pick<TestServer, 'url'> & Partial<Pick<TestServer, 'program'>>;

/**
 * Compares an answer with the OpenAPI document of the server. The endpoint must declare its status and its content
 * type, the body must have the declared fields, and a successful one may have no others.
 *
 * @throws Error that names the difference
 */
export async function checkContract(server: DescribedServer, answer: ObservedAnswer): Promise<void> {
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
  const body: unknown = JSON.parse(answer.text);
  // The parameter says which member it adds to any answer.
  if (/[?&]check=pages\b/.test(answer.path)) Reflect.deleteProperty(asSchema(body), 'pages_checked');
  const [valid, errors] = declared.validator().Errors(body);
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
  /** Made when it is first asked for: those of all answers take half a second. */
  readonly validator: () => Validator;
}

type Validator = ReturnType<typeof Compile>;

const ofPrograms = new Map<string, Promise<Operation[]>>();
const ofServers = new WeakMap<DescribedServer, Promise<Operation[]>>();

/** Fetched once for each program, because a server needs a tenth of a second to make the document. */
function operationsOf(server: DescribedServer): Promise<Operation[]> {
  const { program } = server;
  const known = program === undefined ? ofServers.get(server) : ofPrograms.get(program);
  if (known !== undefined) return known;
  const operations = fetchOperations(server);
  if (program === undefined) ofServers.set(server, operations);
  else ofPrograms.set(program, operations);
  return operations;
}

/**
 * With a credential, so that it does not use the budget of anonymous callers. A server that does not answer, because
 * it is being killed or serves nothing, is not remembered.
 */
async function fetchOperations(server: DescribedServer): Promise<Operation[]> {
  try {
    const response = await fetch(`${server.url}/api/v1/openapi.json`, {
      headers: { Authorization: `Bearer ${masterToken}` },
    });
    const document: unknown = await response.json();
    if (!response.ok) forget(server);
    return operationsIn(document);
  } catch (error) {
    forget(server);
    throw error;
  }
}

function forget(server: DescribedServer): void {
  ofServers.delete(server);
  if (server.program !== undefined) ofPrograms.delete(server.program);
}

function operationsIn(document: unknown): Operation[] {
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
  let validator: Validator | undefined;
  return {
    contentType: content?.[0],
    validator: () => {
      validator ??= compiled(document, member(content?.[1], 'schema'), isSuccess);
      return validator;
    },
  };
}

function compiled(document: unknown, declared: unknown, isSuccess: boolean): Validator {
  const schema = inlined(declared, member(member(document, 'components'), 'schemas'));
  return Compile(asSchema(isSuccess ? closed(schema) : schema));
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
