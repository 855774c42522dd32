import { Checkbox, Radio, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import { usePageTree } from '../../content/pages.ts';
import type { ImportChoice } from './choice.ts';
import classes from './imports.module.css';

export interface TargetChoiceProps {
  readonly choice: ImportChoice;
  /** What the server refuses, by field. */
  readonly faults: Readonly<Record<string, string>>;
  onChange(fields: Partial<ImportChoice>): void;
}

/** Where the pages go, and what happens with those that are there already. */
export function TargetChoice({ choice, faults, onChange }: TargetChoiceProps) {
  const { data: pages = [] } = usePageTree();
  const flag = (name: 'publish' | 'overwrite' | 'overwriteModified' | 'force') => (
    <Checkbox
      label={t(`imports.${name}`)}
      description={t(`imports.${name}Help`)}
      checked={choice[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.checked })}
    />
  );
  return (
    <section className={classes['options']}>
      <h2>{t('imports.target')}</h2>
      <Radio.Group
        aria-label={t('imports.target')}
        value={choice.target}
        onChange={(value) => onChange({ target: value === 'existing' ? 'existing' : 'new' })}
      >
        <Stack gap={8}>
          <Radio value="new" label={t('imports.targetNew')} />
          <Radio
            value="existing"
            label={t('imports.targetExisting')}
            description={t('imports.targetExistingHelp')}
            disabled={pages.length === 0}
          />
        </Stack>
      </Radio.Group>
      {choice.target === 'new' ? (
        <div className={classes['pair']}>
          <TextInput
            label={t('fields.title')}
            required
            value={choice.title}
            error={faults['new_site']}
            onChange={(event) => onChange({ title: event.currentTarget.value })}
          />
          <Textarea
            label={t('fields.domains')}
            description={t('site.domainsHelp')}
            minRows={1}
            value={choice.domains}
            error={faults['domains']}
            onChange={(event) => onChange({ domains: event.currentTarget.value })}
          />
        </div>
      ) : (
        <>
          <Select
            label={t('imports.targetPage')}
            data={pages.map(({ id, title, path }) => ({ value: String(id), label: `${title} (${path})` }))}
            value={choice.pageId === 0 ? null : String(choice.pageId)}
            searchable
            limit={50}
            error={faults['target_page_id']}
            onChange={(value) => onChange({ pageId: Number(value) })}
          />
          {flag('overwrite')}
          {choice.overwrite && (
            <>
              {flag('overwriteModified')}
              {flag('force')}
            </>
          )}
        </>
      )}
      {flag('publish')}
    </section>
  );
}
