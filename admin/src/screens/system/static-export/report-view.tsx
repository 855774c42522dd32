import { t } from '../../../base/i18n/index.ts';
import { sizeText } from '../../../base/i18n/size-text.ts';
import type { ExportReport } from '../../../content/jobs/export-requests.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import messages from '../../../ui/messages/problems.module.css';
import { Facts } from '../../../ui/values/facts.tsx';
import classes from './report-view.module.css';

/** Most lines of a list on the screen. */
const maxLines = 100;

/** What an export contains: problems first. */
export function ReportView({ report }: { readonly report: ExportReport }) {
  const { pages, errors, broken_links: broken, missing_media: missing, base } = report;
  const failed = Object.entries(errors);
  return (
    <section className="stack-12" aria-label={t('export.report')}>
      <h2>{t('export.report')}</h2>
      {failed.length === 0 && (
        <p className={classes['fine']} role="status">
          <Icon name="check-circle" />
          {t('export.complete', { count: pages.length })}
        </p>
      )}
      <Problems title={t('export.failedPages', { count: failed.length })} tone="brick" lines={failed} />
      <Problems
        title={t('export.brokenLinks', { count: Object.keys(broken).length })}
        tone="ochre"
        lines={Object.entries(broken).map(([path, page]) => [path, t('export.onPage', { page })])}
      />
      <Problems
        title={t('export.missingMedia', { count: missing.length })}
        tone="ochre"
        lines={missing.map((path) => [path, ''])}
      />
      {report.too_many && <p className="line">{t('export.tooMany')}</p>}
      <Facts
        facts={[
          [t('export.pages'), pages.length.toLocaleString()],
          [t('export.media'), `${report.media_files.toLocaleString()} · ${sizeText(report.media_bytes)}`],
          [t('export.assets'), report.asset_files.toLocaleString()],
          [t('export.private'), report.private_media.toLocaleString()],
          [t('export.address'), base === '' ? t('export.noBase') : base],
        ]}
      />
    </section>
  );
}

interface ProblemsProps {
  readonly title: string;
  readonly tone: 'brick' | 'ochre';
  readonly lines: readonly (readonly [string, string])[];
}

function Problems({ title, tone, lines }: ProblemsProps) {
  if (lines.length === 0) return null;
  return (
    <div className={messages['problems']} data-tone={tone}>
      <b>{title}</b>
      <ul>
        {lines.slice(0, maxLines).map(([path, reason]) => (
          <li key={path}>
            <code>{path}</code> {reason}
          </li>
        ))}
        {lines.length > maxLines && <li>{t('page.andMore', { count: lines.length - maxLines })}</li>}
      </ul>
    </div>
  );
}
