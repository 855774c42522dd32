import { valueFaultText } from '../../../api/failure-text.ts';
import type { CsvProblem } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import type { CollectionField } from '../../../content/collections.ts';
import { DataTable } from '../../../kit/table/data-table.tsx';
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx';
import messages from '../../../ui/messages/problems.module.css';
import { cellText } from '../cells/cell-text.ts';
import classes from './csv.module.css';
import type { CsvImportResult } from './requests.ts';

export interface ImportReportProps {
  readonly report: CsvImportResult;
  readonly fields: readonly CollectionField[];
  /** The answer of an import that was refused. */
  readonly refused?: Readonly<Record<string, unknown>> | undefined;
}

/** What an import would do: counts, problems by row, and the first rows as entries. */
export function ImportReport({ report, fields, refused }: ImportReportProps) {
  const { created, updated, deleted, warnings, warning_count, preview } = report;
  // Type boundary: an answer that refuses an import lists its errors in this form.
  const errors = Array.isArray(refused?.['errors']) ? (refused['errors'] as CsvProblem[]) : report.errors;
  const errorCount = Math.max(report.error_count, errors.length);
  const shown = fields.filter(({ name }) => preview.some(({ data }) => name in data));
  return (
    <>
      <p className="line" role="status">
        {t('csv.would', { created, updated, deleted })}
      </p>
      {errorCount > 0 && (
        <Problems title={t('csv.errors', { count: errorCount })} tone="brick" problems={errors} />
      )}
      {warning_count > 0 && (
        <Problems title={t('csv.warnings', { count: warning_count })} tone="ochre" problems={warnings} />
      )}
      {preview.length > 0 && (
        <ScrollRegion className={classes['scroll']} label={t('csv.preview')}>
          <DataTable
            className={classes['table']}
            caption={t('csv.preview')}
            rows={preview.slice(0, 8)}
            columns={[
              ...shown.map((field) => ({
                id: `field ${field.name}`,
                head: field.label,
                className: classes['samples'],
                cell: ({ data }: (typeof preview)[number]) => cellText(field, data[field.name]),
              })),
              { head: t('csv.action'), cell: ({ action, id }) => t(`csv.actions.${action}`, { id }) },
            ]}
          />
        </ScrollRegion>
      )}
    </>
  );
}

/** Most problems on the screen. */
const maxProblems = 20;

interface ProblemsProps {
  readonly title: string;
  readonly tone: 'brick' | 'ochre';
  readonly problems: readonly CsvProblem[];
}

function Problems({ title, tone, problems }: ProblemsProps) {
  return (
    <div className={messages['problems']} data-tone={tone}>
      <b>{title}</b>
      <ul>
        {problems.slice(0, maxProblems).map(({ row, column, message, code, params }) => (
          <li key={`${row} ${column} ${code}`}>
            {t('csv.place', { row, column })}: {valueFaultText(code, params, message)}
          </li>
        ))}
      </ul>
    </div>
  );
}
