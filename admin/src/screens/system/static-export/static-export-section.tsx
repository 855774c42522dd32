import { Button, Checkbox, Group, NativeSelect, Progress, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t, timeText } from '../../../base/i18n/index.ts';
import { sizeText } from '../../../base/i18n/size-text.ts';
import { useCurrentSite } from '../../../content/current-site.ts';
import { useExportProgress } from '../../../content/jobs/export-progress.ts';
import {
  type ExportOptions,
  type ExportReport,
  earlierExports,
  exportReport,
  formats,
  linkForms,
  reportIn,
} from '../../../content/jobs/export-requests.ts';
import { runExport } from '../../../content/jobs/running-export.ts';
import { usePageTree } from '../../../content/pages.ts';
import { FormError } from '../../../kit/form/form-error.tsx';
import { useSubmit } from '../../../kit/form/submit.ts';
import { showToast } from '../../../ui/messages/toasts.ts';
import { ReportView } from './report-view.tsx';

const firstOptions: ExportOptions = { links: 'root', format: 'apache', base: '', allMedia: false, since: '' };

/** A website as files for any web server. */
export function StaticExportSection() {
  const { data: pages = [] } = usePageTree();
  const current = useCurrentSite() ?? 0;
  const [chosen, setChosen] = useState<number>();
  const site = chosen ?? current;
  const sites = pages.filter(({ parent_id }) => parent_id === null);
  return (
    <>
      <p className="quiet line">{t('export.help')}</p>
      <NativeSelect
        label={t('export.site')}
        data={sites.map(({ id, title }) => ({ value: String(id), label: title }))}
        value={String(site)}
        onChange={(event) => setChosen(Number(event.currentTarget.value))}
      />
      <ExportForm key={site} site={site} />
    </>
  );
}

function ExportForm({ site }: { readonly site: number }) {
  const [options, setOptions] = useState(firstOptions);
  const [report, setReport] = useState<ExportReport>();
  const last = useExportProgress();
  const running = last?.state === 'running' ? last : undefined;
  const set = (fields: Partial<ExportOptions>) => {
    setOptions({ ...options, ...fields });
    setReport(undefined);
  };
  const checking = useSubmit(async () => setReport(await exportReport(site, options)));
  const making = useSubmit(async () => {
    try {
      const made = await runExport(site, options);
      if (made === undefined) return;
      const message = t(made.isFull ? 'export.madeFull' : 'export.made', { size: sizeText(made.bytes) });
      showToast({ tone: 'done', message });
    } catch (error) {
      setReport(reportIn(error));
      throw error;
    }
  });
  return (
    <form className="form" onSubmit={making.send}>
      <FormError message={making.message ?? checking.message} />
      <OptionFields
        site={site}
        options={options}
        faults={{ ...checking.faults, ...making.faults }}
        onChange={set}
      />
      <Group>
        <Button variant="default" loading={checking.isSending} onClick={() => void checking.send()}>
          {t('export.check')}
        </Button>
        <Button type="submit" loading={running !== undefined} disabled={site === 0}>
          {t('export.make')}
        </Button>
        {running !== undefined && (
          <Button variant="default" onClick={running.cancel}>
            {t('actions.cancel')}
          </Button>
        )}
      </Group>
      {running !== undefined && (
        <section aria-label={t('export.running')}>
          <p className="line" role="status">
            {running.step}
          </p>
          <Progress
            aria-label={t('export.running')}
            value={running.total === 0 ? 100 : (running.done / running.total) * 100}
            striped={running.total === 0}
            animated={running.total === 0}
          />
          <p className="meta line tabular">{running.figures}</p>
        </section>
      )}
      {report !== undefined && <ReportView report={report} />}
    </form>
  );
}

interface OptionFieldsProps {
  readonly site: number;
  readonly options: ExportOptions;
  readonly faults: Readonly<Record<string, string>>;
  onChange(fields: Partial<ExportOptions>): void;
}

function OptionFields({ site, options, faults, onChange }: OptionFieldsProps) {
  const earlier = earlierExports(site);
  return (
    <>
      <div className="pair">
        <NativeSelect
          label={t('export.links')}
          description={t('export.linksHelp')}
          data={linkForms.map((value) => ({ value, label: t(`export.linkForms.${value}`) }))}
          value={options.links}
          onChange={(event) =>
            onChange({ links: linkForms.find((known) => known === event.currentTarget.value) ?? 'root' })
          }
        />
        <NativeSelect
          label={t('export.format')}
          description={t('export.formatHelp')}
          data={formats.map((value) => ({ value, label: t(`export.formats.${value}`) }))}
          value={options.format}
          onChange={(event) =>
            onChange({ format: formats.find((known) => known === event.currentTarget.value) ?? 'apache' })
          }
        />
      </div>
      <TextInput
        label={t('export.base')}
        description={t('export.baseHelp')}
        placeholder="https://www.example.org"
        value={options.base}
        error={faults['base']}
        onChange={(event) => onChange({ base: event.currentTarget.value })}
      />
      <Checkbox
        label={t('export.allMedia')}
        description={t('export.allMediaHelp')}
        checked={options.allMedia}
        onChange={(event) => onChange({ allMedia: event.currentTarget.checked })}
      />
      <NativeSelect
        label={t('export.since')}
        description={t(earlier.length === 0 ? 'export.sinceNone' : 'export.sinceHelp')}
        disabled={earlier.length === 0}
        data={[
          { value: '', label: t('export.sinceAll') },
          ...earlier.map(({ hash, at }) => ({
            value: hash,
            label: t('export.sinceTime', { time: timeText(at) }),
          })),
        ]}
        value={options.since}
        onChange={(event) => onChange({ since: event.currentTarget.value })}
      />
    </>
  );
}
