import { type ComponentType, memo, type ReactNode, useMemo } from 'react';
import type { FormSchema } from '../../api/form-schema.ts';
import { useLanguage } from '../../base/i18n/index.ts';
import { FieldInput, type InputProps } from './field-input.tsx';
import { fieldsIn } from './form-field.ts';
import { type Faults, type FormTexts, findHelp, formatLabel } from './form-texts.ts';
import classes from './schema-form.module.css';

type NameIn<Values> = keyof Values & string;

/** A field, fields beside each other where there is room, a narrow one before a wide one, or what only some values show. */
export type Line<Values> =
  | NameIn<Values>
  | readonly NameIn<Values>[]
  | { readonly narrow: NameIn<Values>; readonly wide: NameIn<Values> }
  | { readonly show: readonly Line<Values>[]; if(values: Partial<Values>): boolean };

export type Inputs<Values> = { readonly [Name in NameIn<Values>]?: ComponentType<InputProps> };

/** A value that may be chosen, alone or among others. */
type OptionOf<Value> = (Value extends readonly (infer Element)[] ? Element : Value) & string;

export interface SchemaFormProps<Values extends object> {
  readonly schema: FormSchema<Values>;
  readonly texts: FormTexts;
  /** The fields in their order; what is not named is not shown. */
  readonly layout: readonly Line<Values>[];
  readonly values: Partial<Values>;
  readonly faults: Faults;
  /** The values of choices in the order in which they are offered, where that of the schema is another one. */
  readonly choices?: { readonly [Name in NameIn<Values>]?: readonly OptionOf<Values[Name]>[] } | undefined;
  /** In place of the input that the schema asks for. */
  readonly inputs?: Inputs<Values> | undefined;
  /** In place of the help among the texts, where it depends on the values. */
  readonly help?: { readonly [Name in NameIn<Values>]?: string | undefined } | undefined;
  /** What takes effect while a field is empty. */
  readonly placeholders?: { readonly [Name in NameIn<Values>]?: string | undefined } | undefined;
  /** What is empty is no value, for schemas whose fields may all be left out. */
  readonly isSparse?: boolean;
  onChange(change: Partial<Values>): void;
}

/** The fields of an object, made of the schema that the server checks it with. */
export function SchemaForm<Values extends object>(props: SchemaFormProps<Values>) {
  const { schema, layout, values, texts, faults, choices, inputs, help, placeholders, isSparse, onChange } =
    props;
  const fields = useMemo(() => new Map(fieldsIn(schema).map((field) => [field.name, field])), [schema]);
  const drawField = (name: NameIn<Values>) => {
    const field = fields.get(name);
    if (field === undefined) return null;
    return (
      <Field
        key={name}
        input={inputs?.[name]}
        field={field}
        choices={choices?.[name]}
        texts={texts}
        help={help?.[name]}
        placeholder={placeholders?.[name]}
        value={values[name]}
        faults={faults}
        isSparse={isSparse}
        // Type boundary: the input of a field answers with a value of its schema.
        onChange={onChange as (change: object) => void}
      />
    );
  };
  const drawLine = (line: Line<Values>, place: number): ReactNode => {
    if (typeof line === 'string') return drawField(line);
    if ('narrow' in line)
      return (
        <div key={place} className={classes['narrow']}>
          {drawField(line.narrow)}
          {drawField(line.wide)}
        </div>
      );
    if ('show' in line) return line.if(values) ? line.show.map(drawLine) : null;
    return (
      <div key={place} className="pair">
        {line.map(drawField)}
      </div>
    );
  };
  return layout.map(drawLine);
}

interface FieldProps extends Omit<InputProps, 'label' | 'onChange'> {
  readonly choices: readonly string[] | undefined;
  readonly input: ComponentType<InputProps> | undefined;
  onChange(change: object): void;
}

/** Drawn again only when its own value changes, as long as the form has one `onChange`. */
const Field = memo(function Field({
  input: Input = FieldInput,
  field,
  choices = field.options,
  help,
  onChange,
  ...props
}: FieldProps) {
  const { texts } = props;
  useLanguage();
  return (
    <Input
      {...props}
      field={{ ...field, options: choices }}
      label={formatLabel(texts, field.name)}
      help={help ?? findHelp(texts, field.name)}
      onChange={(value) => onChange({ [field.name]: value })}
    />
  );
});
