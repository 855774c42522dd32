/** Inputs that are bound to one field of the page in the editor. */
import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { fieldFaults } from '../../../../api/failure-text.ts';
import { findText, type TextKey, t } from '../../../../base/i18n/index.ts';
import type { Page } from '../../../../content/pages.ts';
import { useField, useSaveState } from '../../../../editing/editor-store.ts';
import { useFieldFindings } from '../../../../editing/findings.ts';
import { LazyCodeEditor } from '../../../../editors/code/lazy-code-editor.tsx';
import { templateFacts } from '../../../../editors/code/template-facts.ts';
import type { PageStore } from '../../store/page-store.ts';
import classes from './fields.module.css';

/** Names of the fields of a page that hold values of a type and have a label. */
type Named<Type> = {
  [Name in keyof Page]: Page[Name] extends Type ? (`fields.${Name}` extends TextKey ? Name : never) : never;
}[keyof Page] &
  string;

export interface TextFieldProps {
  readonly store: PageStore;
  readonly name: Named<string>;
  /** Default: the text that is named after the field, if there is one. */
  readonly help?: string | undefined;
  /** What is inherited when the field is empty. */
  readonly placeholder?: string | undefined;
  readonly isLong?: boolean;
  readonly isCode?: boolean;
  readonly lang?: string | undefined;
}

export function TextField({
  store,
  name,
  help,
  placeholder,
  isLong = false,
  isCode = false,
  lang,
}: TextFieldProps) {
  const [value, setValue] = useField(store, name);
  const shared = {
    label: t(`fields.${name}`),
    description: help ?? findText(`help.${name}`),
    placeholder: placeholder ?? '',
    value,
    lang,
    error: useFault(store, name),
    styles: isCode ? { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } } : {},
  };
  if (isLong)
    return <Textarea {...shared} maxRows={12} onChange={(event) => setValue(event.currentTarget.value)} />;
  return <TextInput {...shared} onChange={(event) => setValue(event.currentTarget.value)} />;
}

export function FlagField({ store, name }: { readonly store: PageStore; readonly name: Named<boolean> }) {
  const [value, setValue] = useField(store, name);
  return (
    <Checkbox
      label={t(`fields.${name}`)}
      description={findText(`help.${name}`)}
      checked={value}
      onChange={(event) => setValue(event.currentTarget.checked)}
    />
  );
}

/** A template field, with the findings of the last save at their places. */
export function CodeField({ store, name }: { readonly store: PageStore; readonly name: 'html' | 'head' }) {
  const [value, setValue] = useField(store, name);
  const findings = useFieldFindings(store, name);
  return (
    <div className={classes['code']}>
      <div className={classes['codeHead']}>
        <span className={classes['label']}>{t(`fields.${name}`)}</span>
        <span className="meta">{t('code.leave')}</span>
      </div>
      <LazyCodeEditor
        label={t(`fields.${name}`)}
        language="html"
        value={value}
        findings={findings}
        facts={() => templateFacts(store.base.id)}
        onChange={setValue}
      />
    </div>
  );
}

function useFault(store: PageStore, name: string): string | undefined {
  const state = useSaveState(store);
  return state.kind === 'failed' ? fieldFaults(state.error)[name] : undefined;
}
