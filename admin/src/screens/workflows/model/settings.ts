/** The settings of a type of node, read from the schema that the server checks them with. */
import { toRecord } from '../../../api/failure.ts';
import type { FormSchema } from '../../../api/form-schema.ts';
import type { WorkflowNodeType } from '../../../api/generated/schema.ts';
import { type FormField, fieldsIn, textsIn } from '../../../kit/form/form-field.ts';

export interface Setting extends FormField {
  /** Values of other settings with which it has an effect. */
  readonly onlyFor: Readonly<Record<string, readonly string[]>>;
}

type Config = Readonly<Record<string, unknown>>;

/** The schema of the settings. */
export function toFormSchema({ config }: Pick<WorkflowNodeType, 'config'>): FormSchema<Config> {
  // Type boundary: the server describes settings with the schema of an object.
  return config as unknown as FormSchema<Config>;
}

export function listSettings(type: Pick<WorkflowNodeType, 'config'>): readonly Setting[] {
  const { properties } = toFormSchema(type);
  return fieldsIn(type.config).map((field) => ({
    ...field,
    onlyFor: Object.fromEntries(
      Object.entries(toRecord(properties[field.name]?.['x-only-for'])).map(([other, values]) => [
        other,
        textsIn(values),
      ]),
    ),
  }));
}

/** Whether a setting has an effect with the others as they are. The first value of a choice is its default. */
export function hasEffect({ onlyFor }: Setting, config: Config, settings: readonly Setting[]): boolean {
  return Object.entries(onlyFor).every(([name, values]) => {
    const standard = settings.find((setting) => setting.name === name)?.options[0];
    return values.includes(String(config[name] ?? standard ?? ''));
  });
}

/** The settings of a new node: what the schema asks for, empty, and what makes it useful at once. */
export function newConfig(type: WorkflowNodeType): Config {
  const empty = listSettings(type).flatMap(({ name, isRequired }) => (isRequired ? [[name, '']] : []));
  return { ...Object.fromEntries(empty), ...starts[type.type] };
}

const starts: Readonly<Record<string, Config>> = {
  inject: { payload: '{}' },
  'http-in': { method: 'POST' },
  event: { created: true },
  function: { code: 'return msg;\n', outputs: 1 },
  switch: { property: 'payload', rules: [{ op: 'eq', value: '' }, { op: 'else' }] },
  delay: { seconds: 1 },
};
