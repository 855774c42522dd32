import { Button, FileInput, Group, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { failureText } from '../../../api/failure-text.ts';
import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import { type CollectionField, collections, type FieldType } from '../../../content/collections.ts';
import { FormError } from '../../../kit/form/form-error.tsx';
import { useSubmit } from '../../../kit/form/submit.ts';
import { DataTable } from '../../../kit/table/data-table.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { showToast } from '../../../ui/messages/toasts.ts';
import classes from './csv.module.css';
import { ImportReport } from './import-report.tsx';
import { type CsvImportResult, importCollection } from './requests.ts';

/** Types that a column can become; the others refer to what a file cannot name. */
const types = ['text', 'textarea', 'markdown', 'html', 'number', 'boolean', 'date', 'url', 'select'] as const;

/** A collection from a CSV file: the server suggests fields and types, people correct them. */
export function NewImportScreen() {
  const [file, setFile] = useState<File | null>(null);
  const [ownName, setOwnName] = useState<string>();
  const [ownSlug, setOwnSlug] = useState<string>();
  const [chosen, setChosen] = useState<Readonly<Record<string, FieldType>>>({});
  const baseName = file?.name.replace(/\.\w+$/, '') ?? '';
  const trial = useQuery({
    queryKey: ['collections', 'trial', file?.name, file?.size, file?.lastModified],
    queryFn: () => importCollection(file ?? new File([], ''), baseName, undefined, undefined, true),
    enabled: file !== null,
    retry: false,
  });
  const report = file === null ? undefined : trial.data;
  const suggested = report?.collection;
  const fields = fieldsOf(report).map((field) => ({ ...field, type: chosen[field.name] ?? field.type }));
  const slug = ownSlug ?? suggested?.slug ?? '';
  const name = ownName ?? suggested?.name ?? '';
  const sending = useSubmit(async () => {
    if (file === null) return;
    const { imported } = await importCollection(file, name, undefined, { slug, name, fields }, false);
    await collections.changed();
    goTo(paths.collection(slug));
    showToast({ tone: 'done', message: t('csv.collectionMade', { name, count: imported }) });
  });
  const failure = sending.message ?? (trial.error === null ? undefined : failureText(trial.error));
  return (
    <div className={classes['screen']}>
      <PageHeader title={t('collections.fromCsv')} scope={t('frame.allSites')} />
      <form className={classes['import']} onSubmit={sending.send}>
        <FormError message={failure} />
        <FileInput
          label={t('csv.file')}
          description={t('csv.fileHelp')}
          accept=".csv,text/csv"
          placeholder={t('csv.choose')}
          value={file}
          onChange={setFile}
        />
        {report !== undefined && (
          <>
            <div className={classes['options']}>
              <TextInput
                label={t('fields.name')}
                value={name}
                onChange={(event) => setOwnName(event.currentTarget.value)}
              />
              <TextInput
                label={t('collections.slug')}
                value={slug}
                error={sending.faults['slug']}
                onChange={(event) => setOwnSlug(event.currentTarget.value)}
              />
            </div>
            <DataTable
              className={classes['table']}
              caption={t('csv.suggested')}
              rows={fields}
              keyOf={({ name }) => name}
              columns={[
                { head: t('schema.name'), isName: true, cell: ({ label }) => label },
                {
                  head: t('csv.samples'),
                  className: classes['samples'],
                  cell: (field) => samplesOf(report, field.name),
                },
                {
                  head: t('schema.type'),
                  cell: (field) => (
                    <NativeSelect
                      aria-label={t('csv.typeOf', { name: field.label })}
                      data={types.map((value) => ({ value, label: t(`schema.types.${value}`) }))}
                      value={field.type}
                      onChange={(event) => {
                        const type = types.find((known) => known === event.currentTarget.value) ?? 'text';
                        setChosen({ ...chosen, [field.name]: type });
                      }}
                    />
                  ),
                },
              ]}
            />
            <ImportReport report={report} fields={fields} />
          </>
        )}
        <Group>
          <Button variant="default" onClick={() => goTo(paths.collections())}>
            {t('actions.cancel')}
          </Button>
          <Button type="submit" loading={sending.isSending} disabled={report === undefined}>
            {t('csv.makeCollection', { count: report?.rows ?? 0 })}
          </Button>
        </Group>
      </form>
    </div>
  );
}

/** Type boundary: suggested fields have the form of fields. */
function fieldsOf(report: CsvImportResult | undefined): readonly CollectionField[] {
  return (report?.collection?.fields ?? []) as readonly CollectionField[];
}

/** The first values of the column that becomes a field. */
function samplesOf({ mapping, columns }: CsvImportResult, field: string): string {
  return columns[mapping.indexOf(field)]?.samples.slice(0, 3).join(' · ') ?? '';
}
