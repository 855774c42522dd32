/** The description of the API (OpenAPI 3.1) as the reference shows it. Free of the browser, so that it is tested alone. */

/** A JSON Schema, with the keywords that the description uses. */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

/** What stands for each media type of a body. */
export type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

export interface Answer {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: Content;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Answer>>;
}

/** What `GET /openapi.json` answers with. */
export interface Description {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

/** One method of one path, with everything that it refers to. Schemas keep their references, because they nest. */
export interface Operation {
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  /** From behind `/api/v1` on, with placeholders such as `{id}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** Undefined if it takes no body. */
  readonly body: Content | undefined;
  readonly answers: readonly { readonly status: string; readonly answer: Answer }[];
}

/** All operations in the order of the description. */
export function listOperations({ paths, components }: Description): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      tag: operation.tags[0] ?? '',
      summary: operation.summary,
      description: operation.description ?? '',
      parameters: (operation.parameters ?? []).map((parameter) => resolved(parameter, components.parameters)),
      body: operation.requestBody?.content,
      answers: Object.entries(operation.responses).map(([status, answer]) => ({
        status,
        answer: resolved(answer, components.responses),
      })),
    })),
  );
}

/** What a reference stands for; anything else as it is. */
function resolved<Part extends { readonly $ref?: string }>(
  part: Part,
  parts: Readonly<Record<string, Part>>,
): Part {
  return part.$ref === undefined ? part : (parts[nameIn(part.$ref)] ?? part);
}

function nameIn(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

/** A group of operations, as the list shows it. */
export interface OperationGroup {
  readonly tag: string;
  readonly operations: readonly Operation[];
}

/** The operations that hold every word of a query, by group; groups without any are left out. */
export function groupOperations(operations: readonly Operation[], query: string): readonly OperationGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = operations.filter(({ id, method, path, summary, answers }) => {
    const codes = answers.flatMap(({ answer }) => errorCodesIn(answer.description));
    const text = [id, method, path, summary, ...codes].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return [...Map.groupBy(found, ({ tag }) => tag)].map(([tag, ofTag]) => ({ tag, operations: ofTag }));
}

/** The error codes that the description of an answer names. */
export function errorCodesIn(description: string): readonly string[] {
  return [...description.matchAll(/`([a-z]+\.\w+)`/g)].map(([, code = '']) => code);
}

/** The type of a value in a few words: `integer`, `Page[]`, `"a" | "b"`. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return nameIn(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeText))].join(' | ');
  if (schema.items !== undefined) return listText(typeText(schema.items));
  if (schema.format === 'binary') return 'file';
  if (typeof schema.type === 'string') return schema.type;
  return schema.type?.join(' | ') ?? 'any';
}

function listText(type: string): string {
  return type.includes(' ') ? `(${type})[]` : `${type}[]`;
}

const limits = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const;

/** What a value must keep to, in the words of JSON Schema. */
export function limitTexts(schema: Schema): readonly string[] {
  return limits.flatMap((name) => (schema[name] === undefined ? [] : [`${name} ${schema[name]}`]));
}

/** A part of a value that has a description of its own. */
export interface Member {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** The members of a schema's objects; of a list those of its elements. Empty for plain values. */
export function listMembers(
  schema: Schema,
  schemas: Description['components']['schemas'],
): readonly Member[] {
  const whole = resolved(schema, schemas);
  if (whole.items !== undefined) return listMembers(whole.items, schemas);
  if (whole.anyOf !== undefined) return whole.anyOf.flatMap((part) => listMembers(part, schemas));
  const named = Object.entries(whole.properties ?? {}).map(([name, member]) => ({
    name,
    schema: member,
    isRequired: whole.required?.includes(name) ?? false,
  }));
  const others = Object.values(whole.patternProperties ?? {}).map((member) => ({
    name: '*',
    schema: member,
    isRequired: false,
  }));
  return [...named, ...others];
}

/** A value that fits a schema: its own example where there is one, else what it demands and no more. */
export function createExample(schema: Schema, schemas: Description['components']['schemas']): unknown {
  const whole = resolved(schema, schemas);
  const given = whole.examples?.[0] ?? whole.const ?? whole.default ?? whole.enum?.[0];
  if (given !== undefined) return given;
  if (whole.items !== undefined) return [createExample(whole.items, schemas)];
  if (whole.anyOf?.[0] !== undefined) return createExample(whole.anyOf[0], schemas);
  if (whole.type === 'object') {
    const demanded = listMembers(whole, schemas).filter(({ isRequired }) => isRequired);
    return Object.fromEntries(
      demanded.map(({ name, schema: member }) => [name, createExample(member, schemas)]),
    );
  }
  return plainExamples.get(String(whole.type)) ?? null;
}

const plainExamples: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['string', 'text'],
  ['integer', 1],
  ['number', 1],
  ['boolean', true],
]);

/** The path with values for its placeholders and the query; a placeholder without a value stays. */
export function formatCallAddress(
  { path, parameters }: Pick<Operation, 'path' | 'parameters'>,
  values: Readonly<Record<string, string>>,
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name] ?? '';
    return value === '' ? placeholder : encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const { name, in: place } of parameters) {
    const value = values[name] ?? '';
    if (place === 'query' && value !== '') query.set(name, value);
  }
  return `/api/v1${filled}${query.size === 0 ? '' : `?${query}`}`;
}
