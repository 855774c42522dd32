import { type ReactNode, useState } from 'react';
import { type TextKey, t } from '../../base/i18n/index.ts';
import { FormDialog, type FormDialogProps } from './form-dialog.tsx';
import { FormText } from './form-text.tsx';
import { createSlug } from './slug.ts';
import { useSubmit } from './submit.ts';

/** Fields of a form that are texts. */
type TextName<New> = { [Name in keyof New & string]: New[Name] extends string ? Name : never }[keyof New &
  string];
/** Those whose label stands under their own name. */
type LabelledName<New> = {
  [Name in TextName<New>]: `fields.${Name}` extends TextKey ? Name : never;
}[TextName<New>];

/** A text of a new object: a name says it all, an empty `slug` follows what is typed as the name or title. */
export type FormField<New> =
  | LabelledName<New>
  | {
      readonly name: TextName<New>;
      readonly label: TextKey;
      /** A text of its own depends on what is typed. */
      readonly help?: TextKey | ((body: New) => string);
      readonly isOptional?: boolean;
      readonly isSecret?: boolean;
      readonly autoComplete?: string;
    };

export interface CreateState<New> {
  readonly body: New;
  readonly faults: Readonly<Record<string, string>>;
  onChange(change: Partial<New>): void;
}

/** What is asked about a new object, or about one that is given other texts. */
export interface CreateForm<New, Made> {
  readonly initial: New;
  /** What it is about, above the fields. */
  readonly intro?: ReactNode;
  readonly fields: readonly FormField<New>[];
  create(body: New): Promise<Made>;
  /** Whether it can be sent. Default: always, as far as the browser lets it. */
  isReady?(body: New): boolean;
  /** What is no text, below the others. */
  more?(state: CreateState<New>): ReactNode;
  onDone?(made: Made): void;
}

export interface CreateDialogProps<New, Made> extends CreateForm<New, Made> {
  readonly title: string;
  readonly size?: FormDialogProps['size'];
  readonly submit: string;
  onClose(): void;
}

/** Asks for the texts of an object, and makes it. */
export function CreateDialog<New extends object, Made>({
  title,
  size = 'md',
  submit,
  initial,
  intro,
  fields,
  create,
  isReady,
  more,
  onDone,
  onClose,
}: CreateDialogProps<New, Made>) {
  const [body, setBody] = useState(initial);
  const [isSlugOwn, setSlugOwn] = useState('slug' in initial && initial.slug !== '');
  const sending = useSubmit(async () => {
    const made = await create(body);
    onClose();
    onDone?.(made);
  });
  const { faults } = sending;
  const change = (name: string, value: string) => {
    const isFollowed = (name === 'name' || name === 'title') && 'slug' in body && !isSlugOwn;
    if (name === 'slug') setSlugOwn(true);
    setBody({ ...body, [name]: value, ...(isFollowed ? { slug: createSlug(value) } : {}) });
  };
  return (
    <FormDialog
      title={title}
      size={size}
      submit={submit}
      sending={sending}
      isIncomplete={isReady?.(body) === false}
      onClose={onClose}
    >
      {intro}
      {fields.map(detailsOf).map(({ name, label, help, ...details }, index) => (
        <FormText
          key={name}
          isFirst={index === 0}
          {...details}
          label={t(label)}
          help={typeof help === 'function' ? help(body) : help && t(help)}
          value={String(body[name])}
          error={faults[name]}
          onChange={(value) => change(name, value)}
        />
      ))}
      {more?.({ body, faults, onChange: (changes) => setBody({ ...body, ...changes }) })}
    </FormDialog>
  );
}

function detailsOf<New>(field: FormField<New>): Exclude<FormField<New>, string> {
  // Type boundary: only names with such a text can be written without one.
  return typeof field === 'string' ? { name: field, label: `fields.${field}` as TextKey } : field;
}
