/** The settings of a type of node, read from the schema that the server checks them with. */
import { recordOf } from '../../../api/failure.ts';
import type { WorkflowNodeType } from '../../../api/generated/schema.ts';

/** How a setting is edited; each has an editor in `panel/field-editors.tsx`. */
export type EditorKind =
  | 'text'
  | 'lines'
  | 'code'
  | 'json'
  | 'cron'
  | 'collection'
  | 'custom-node'
  | 'number'
  | 'number-or-text'
  | 'flag'
  | 'choice'
  | 'value'
  | 'list'
  | 'params';

export interface Setting {
  readonly name: string;
  readonly kind: EditorKind;
  readonly isRequired: boolean;
  /** Values of a choice. */
  readonly options: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly maxLength?: number;
  /** The parts of an element of a list. */
  readonly columns: readonly Setting[];
  /** Values of other settings with which it has an effect. */
  readonly onlyFor: Readonly<Record<string, readonly string[]>>;
}

type Schema = Readonly<Record<string, unknown>>;

export function settingsOf({ config }: Pick<WorkflowNodeType, 'config'>): readonly Setting[] {
  return settingsIn(config);
}

function settingsIn(schema: Schema): Setting[] {
  const required = textsIn(schema['required']);
  return Object.entries(recordOf(schema['properties'])).map(([name, property]) =>
    settingOf(name, recordOf(property), required.includes(name)),
  );
}

function settingOf(name: string, schema: Schema, isRequired: boolean): Setting {
  const kind = kindOf(schema);
  return {
    name,
    kind,
    isRequired,
    options: textsIn(schema['enum']),
    ...numbersIn(kind === 'number-or-text' ? firstOf(schema['anyOf']) : schema),
    columns: kind === 'list' ? settingsIn(recordOf(schema['items'])) : [],
    onlyFor: Object.fromEntries(
      Object.entries(recordOf(schema['x-only-for'])).map(([other, values]) => [other, textsIn(values)]),
    ),
  };
}

const editors = ['code', 'json', 'lines', 'cron', 'collection', 'custom-node'] as const;
const ofType: Readonly<Record<string, EditorKind>> = {
  string: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'flag',
  array: 'list',
  object: 'params',
};

function kindOf(schema: Schema): EditorKind {
  const named = editors.find((editor) => editor === schema['x-editor']);
  if (named !== undefined) return named;
  if (Array.isArray(schema['enum'])) return 'choice';
  // Numbers may be texts with a placeholder; texts stay texts, because a key may be "007".
  const first = firstOf(schema['anyOf'])['type'];
  if (first !== undefined) return first === 'string' ? 'text' : 'number-or-text';
  return ofType[String(schema['type'])] ?? 'value';
}

function numbersIn(schema: Schema): Pick<Setting, 'min' | 'max' | 'maxLength'> {
  const named = { minimum: 'min', maximum: 'max', maxLength: 'maxLength' } as const;
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, ours]) =>
      typeof schema[name] === 'number' ? [[ours, schema[name]]] : [],
    ),
  );
}

function firstOf(value: unknown): Schema {
  return Array.isArray(value) ? recordOf(value[0]) : {};
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Whether a setting has an effect with the others as they are. The first value of a choice is its default. */
export function hasEffect({ onlyFor }: Setting, config: Schema, settings: readonly Setting[]): boolean {
  return Object.entries(onlyFor).every(([name, values]) => {
    const standard = settings.find((setting) => setting.name === name)?.options[0];
    return values.includes(String(config[name] ?? standard ?? ''));
  });
}

/** The settings of a new node: what the schema asks for, empty, and what makes it useful at once. */
export function newConfig(type: WorkflowNodeType): Readonly<Record<string, unknown>> {
  const empty = settingsOf(type).flatMap(({ name, isRequired }) => (isRequired ? [[name, '']] : []));
  return { ...Object.fromEntries(empty), ...starts[type.type] };
}

const starts: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  inject: { payload: '{}' },
  'http-in': { method: 'POST' },
  event: { created: true },
  function: { code: 'return msg;\n', outputs: 1 },
  switch: { property: 'payload', rules: [{ op: 'eq', value: '' }, { op: 'else' }] },
  delay: { seconds: 1 },
};
