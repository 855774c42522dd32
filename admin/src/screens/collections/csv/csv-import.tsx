import { Button, Checkbox, FileInput, Group, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure } from '../../../api/failure.ts';
import { failureText } from '../../../api/failure-text.ts';
import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import type { Collection } from '../../../content/collections.ts';
import { entriesChanged } from '../../../content/entries.ts';
import { FormError } from '../../../kit/form/form-error.tsx';
import { useSubmit } from '../../../kit/form/submit.ts';
import { showToast } from '../../../ui/messages/toasts.ts';
import { ColumnMapping } from './column-mapping.tsx';
import classes from './csv.module.css';
import { ImportReport } from './import-report.tsx';
import { importEntries } from './requests.ts';

/** Entries from a CSV file: columns to fields, what would happen, then the import: all rows or none. */
export function CsvImport({ collection }: { readonly collection: Collection }) {
  const [file, setFile] = useState<File | null>(null);
  const [mapping, setMapping] = useState<readonly string[]>();
  const [key, setKey] = useState('');
  const [replace, setReplace] = useState(false);
  const options = { mapping, key, replace };
  const trial = useQuery({
    queryKey: ['entries', collection.id, 'trial', file?.name, file?.size, file?.lastModified, options],
    queryFn: () => importEntries(collection.id, file ?? new File([], ''), options, true),
    enabled: file !== null,
    retry: false,
    placeholderData: (before) => (file === null ? undefined : before),
  });
  const sending = useSubmit(async () => {
    if (file === null) return;
    const { created, updated, deleted } = await importEntries(collection.id, file, options, false);
    await entriesChanged(collection.id);
    goTo(paths.collection(collection.slug));
    showToast({ tone: 'done', message: t('csv.imported', { created, updated, deleted }) });
  });
  const report = trial.data;
  const shownMapping = mapping ?? report?.mapping ?? [];
  const fieldChoices = collection.fields.map(({ name, label }) => ({ value: name, label }));
  const keys = ['_id', ...collection.fields.map(({ name }) => name)].filter((name) =>
    shownMapping.includes(name),
  );
  const failure = sending.error ?? trial.error;
  const body = failure instanceof ApiFailure ? failure.body : undefined;
  return (
    <form className={classes['import']} onSubmit={sending.send}>
      <h2>{t('csv.title')}</h2>
      <FormError message={failure === undefined || failure === null ? undefined : failureText(failure)} />
      <FileInput
        label={t('csv.file')}
        description={t('csv.fileHelp')}
        accept=".csv,text/csv"
        placeholder={t('csv.choose')}
        value={file}
        onChange={(chosen) => {
          setFile(chosen);
          setMapping(undefined);
          setKey('');
        }}
      />
      {report !== undefined && file !== null && (
        <>
          <ColumnMapping
            columns={report.columns}
            mapping={shownMapping}
            fields={fieldChoices}
            hasStatus
            onChange={setMapping}
          />
          <div className={classes['options']}>
            <NativeSelect
              label={t('csv.key')}
              description={t('csv.keyHelp')}
              data={[
                { value: '', label: t('csv.noKey') },
                ...keys.map((name) => ({
                  value: name,
                  label: fieldChoices.find(({ value }) => value === name)?.label ?? t('csv.special._id'),
                })),
              ]}
              value={key}
              onChange={(event) => setKey(event.currentTarget.value)}
            />
            <Checkbox
              label={t('csv.replace')}
              description={t(key === '' ? 'csv.replaceAllHelp' : 'csv.replaceHelp')}
              checked={replace}
              onChange={(event) => setReplace(event.currentTarget.checked)}
            />
          </div>
          <ImportReport report={report} fields={collection.fields} refused={body} />
        </>
      )}
      <Group>
        <Button variant="default" onClick={() => goTo(paths.collection(collection.slug))}>
          {t('actions.cancel')}
        </Button>
        <Button
          type="submit"
          loading={sending.isSending}
          disabled={
            report === undefined || file === null || report.error_count > 0 || trial.isPlaceholderData
          }
        >
          {t('csv.import', { count: report?.rows ?? 0 })}
        </Button>
      </Group>
    </form>
  );
}
