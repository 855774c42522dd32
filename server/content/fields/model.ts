import Type, { type TNull, type TOptional, type TSchema, type TUnion } from 'typebox';
import { richtextTools } from '../../../compiler/richtext-tools.ts';
import { conditionOperators } from '../../../runtime/fields/settings.ts';
import { fieldLimits } from '../common-fields.ts';

const text = (description: string, maxLength: number) => Type.String({ maxLength, description });
const bound = (description: string) =>
  Type.Union([Type.Number(), Type.String({ maxLength: fieldLimits.name })], { description });

const ShowCondition = Type.Object(
  {
    field: text('Name of another field.', fieldLimits.name),
    op: Type.Enum([...conditionOperators], {
      description: '`eq`, `ne`: the value; `in`: one of a list; `set`: a value that is not empty.',
    }),
    value: Type.Optional(Type.Unknown({ description: 'What the field is compared with.' })),
  },
  {
    title: 'ShowCondition',
    description: 'For forms only: shows a field if another one has a certain value.',
  },
);

const RichtextClass = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: fieldLimits.name, description: 'Name of the CSS class.' }),
    label: text('Name for people.', fieldLimits.title),
  },
  { title: 'RichtextClass', description: 'A CSS class that a rich text offers.' },
);

const RichtextClassInput = Type.Object(
  { name: RichtextClass.properties.name, label: Type.Optional(RichtextClass.properties.label) },
  { title: 'RichtextClassInput', description: 'A CSS class; the default of `label` is the name.' },
);

const classLimits = {
  maxItems: 100,
  description: 'CSS classes that editors of an `html` or `markdown` may choose.',
};
const unique = Type.Boolean({
  description: 'Whether no two entries of the collection may have the same value.',
});

/** Settings of a parameter of a block type; those of a field have `unique` too. */
const shared = {
  help: text('Shown with the field in forms.', fieldLimits.text),
  placeholder: text('Shown in the empty field in forms.', fieldLimits.title),
  group: text('Fields with the same group stand together in forms.', fieldLimits.name),
  show_if: ShowCondition,
  pattern: text('Regular expression (RE2) that must match a part of the value.', fieldLimits.title),
  pattern_help: text('What is said about a value that does not match.', fieldLimits.title),
  min: bound('Smallest number, day, length in characters, or number of list entries.'),
  max: bound('Largest number, day, length in characters, or number of list entries.'),
  richtext: Type.Array(Type.Enum([...richtextTools]), {
    maxItems: richtextTools.length,
    description: 'Tools for an `html` or `markdown`; absent = all.',
  }),
};
const initial = Type.Unknown({ description: 'Value of a new object that does not set the field.' });

/** The settings in answers to GET: one that is not set is absent. A parameter always has its `default`. */
export const paramSettings = toOptional({ ...shared, classes: Type.Array(RichtextClass, classLimits) });
export const fieldSettings = { ...paramSettings, ...toOptional({ unique, default: initial }) };

/** The settings as they are sent: null stands for one that is not set. */
export const settingInputs = {
  ...toNullable({ ...shared, unique, classes: Type.Array(RichtextClassInput, classLimits) }),
  default: Type.Optional(initial),
};

type Schemas = Readonly<Record<string, TSchema>>;

function toOptional<Fields extends Schemas>(fields: Fields) {
  const optional = Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]);
  // Type boundary: each schema is replaced by the same one that may be absent.
  return Object.fromEntries(optional) as { [Name in keyof Fields]: TOptional<Fields[Name]> };
}

function toNullable<Fields extends Schemas>(fields: Fields) {
  const nullable = Object.entries(fields).map(([name, schema]) => [
    name,
    Type.Optional(
      Type.Union([schema, Type.Null()], { description: String(Reflect.get(schema, 'description')) }),
    ),
  ]);
  // Type boundary: each schema is replaced by one that is also null or absent.
  return Object.fromEntries(nullable) as {
    [Name in keyof Fields]: TOptional<TUnion<[Fields[Name], TNull]>>;
  };
}
