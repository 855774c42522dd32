import { Button, Checkbox, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { startScan } from '../../content/jobs/imports.ts';
import { FormError } from '../../kit/form/form-error.tsx';
import { useSubmit } from '../../kit/form/submit.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import classes from './imports.module.css';
import { Steps } from './steps.tsx';

const maxPages = 5000;

/** The first step: the address of a website. */
export function NewScan() {
  return (
    <div className="screen">
      <PageHeader title={t('imports.new')} scope={t('frame.allSites')} />
      <div className="body">
        <Steps current="address" />
        <p className="line quiet">{t('imports.lead')}</p>
        <ScanForm />
      </div>
    </div>
  );
}

/** @param url an address to begin with */
export function ScanForm({ url: first = '' }: { readonly url?: string }) {
  const [url, setUrl] = useState(first);
  const [crawl, setCrawl] = useState(false);
  const [respectsRobots, setRespectsRobots] = useState(true);
  const [pages, setPages] = useState(500);
  const sending = useSubmit(async () => {
    const { id } = await startScan({ url, crawl, respect_robots: respectsRobots, max_pages: pages });
    goTo(paths.import(id));
  });
  return (
    <form className={classes['form']} onSubmit={sending.send}>
      <FormError message={sending.message} />
      <TextInput
        autoFocus
        label={t('imports.url')}
        description={t('imports.urlHelp')}
        placeholder="www.example.org"
        required
        value={url}
        error={sending.faults['url']}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <Checkbox
        label={t('imports.crawl')}
        description={t('imports.crawlHelp')}
        checked={crawl}
        onChange={(event) => setCrawl(event.currentTarget.checked)}
      />
      <Checkbox
        label={t('imports.robots')}
        description={t('imports.robotsHelp')}
        checked={respectsRobots}
        onChange={(event) => setRespectsRobots(event.currentTarget.checked)}
      />
      <NumberInput
        label={t('imports.maxPages')}
        min={1}
        max={maxPages}
        allowDecimal={false}
        value={pages}
        error={sending.faults['max_pages']}
        onChange={(value) => setPages(Number(value))}
      />
      <div>
        <Button type="submit" loading={sending.isSending} disabled={url.trim() === ''}>
          {t('imports.scan')}
        </Button>
      </div>
    </form>
  );
}
