/** Inputs that are bound to fields of the page in the editor. */
import { Select } from '@mantine/core';
import * as forms from '../../../../api/generated/forms.ts';
import type { PageUpdate } from '../../../../api/generated/schema.ts';
import { useRights } from '../../../../api/session/rights.ts';
import { t } from '../../../../base/i18n/index.ts';
import { useCurrentSite } from '../../../../content/current-site.ts';
import { usePageTree } from '../../../../content/pages.ts';
import { useField } from '../../../../editing/editor-store.ts';
import { useFieldFindings } from '../../../../editing/findings.ts';
import { useForm } from '../../../../editing/use-form.ts';
import { LazyCodeEditor } from '../../../../editors/code/lazy-code-editor.tsx';
import { templateFacts } from '../../../../editors/code/template-facts.ts';
import { FileField } from '../../../../editors/files/file-field.tsx';
import { type InputProps, LongText, ShortText } from '../../../../kit/form/field-input.tsx';
import { SchemaForm, type SchemaFormProps } from '../../../../kit/form/schema-form.tsx';
import type { PageStore } from '../../store/page-store.ts';
import { ofPageCode } from '../../store/rights.ts';
import classes from './fields.module.css';

export interface PageFieldsProps
  extends Pick<SchemaFormProps<PageUpdate>, 'layout' | 'help' | 'placeholders'> {
  readonly store: PageStore;
}

export function PageFields({ store, ...form }: PageFieldsProps) {
  return <SchemaForm schema={forms.PageUpdate} texts={texts} inputs={inputs} {...form} {...useForm(store)} />;
}

const texts = ['pageFields', 'site'];

const inputs = {
  slug: CodeText,
  lang: CodeText,
  html_attrs: CodeText,
  body_attrs: CodeText,
  domains: CodeLines,
  robots_txt: CodeLines,
  description: Lines,
  og_image_file_id: ImageField,
  favicon_file_id: ImageField,
  notfound_page_id: NotFoundPage,
};

function CodeText(props: InputProps) {
  return <ShortText {...props} isCode />;
}

function Lines(props: InputProps) {
  return <LongText {...props} maxRows={12} />;
}

function CodeLines(props: InputProps) {
  return <LongText {...props} isCode maxRows={12} />;
}

function ImageField({ label, help, value, onChange }: InputProps) {
  return (
    <FileField
      label={label}
      help={help}
      isImage
      value={Number(value)}
      onChange={(file) => onChange(file ?? 0)}
    />
  );
}

/** A page of the website. */
function NotFoundPage({ label, help, value, onChange }: InputProps) {
  const site = useCurrentSite();
  const { data: pages = [] } = usePageTree();
  const choices = pages
    .filter((page) => page.root_id === site && page.parent_id !== null)
    .map(({ id, title, path }) => ({ value: String(id), label: `${title} (${path})` }));
  return (
    <Select
      label={label}
      description={help}
      data={[{ value: '0', label: t('site.automatic') }, ...choices]}
      value={String(value)}
      searchable
      limit={50}
      allowDeselect={false}
      onChange={(chosen) => onChange(Number(chosen))}
    />
  );
}

/** A template field, with the findings of the last save at their places. */
export function CodeField({ store, name }: { readonly store: PageStore; readonly name: 'html' | 'head' }) {
  const [value, setValue] = useField(store, name);
  const findings = useFieldFindings(store, name);
  const mayCode = useRights()(ofPageCode);
  return (
    <div className={classes['code']}>
      <div className={classes['codeHead']}>
        <span className={classes['label']}>{t(`fields.${name}`)}</span>
        <span className="meta">{t(mayCode ? 'code.leave' : 'code.readOnly')}</span>
      </div>
      <LazyCodeEditor
        label={t(`fields.${name}`)}
        language="html"
        value={value}
        isReadOnly={!mayCode}
        findings={findings}
        facts={() => templateFacts(store.base.id)}
        onChange={setValue}
      />
    </div>
  );
}
