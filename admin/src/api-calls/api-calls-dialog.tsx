import { Button, NativeSelect, SegmentedControl } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiCall } from '../api/api-call.ts';
import { type SentRequest, sentRequests } from '../api/sent.ts';
import { Link } from '../app/link.tsx';
import { paths } from '../app/paths.ts';
import { plannedCall } from '../commands/api-call.ts';
import { timeText } from '../i18n/index.ts';
import { instanceName } from '../session/instance.ts';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { Strip } from '../ui/strip.tsx';
import classes from './api-calls.module.css';
import { asCurl, asFetch, withoutSecrets } from './call.ts';

interface Shown {
  readonly label: string;
  readonly call: ApiCall;
}

const forms = { curl: asCurl, fetch: asFetch } as const;
type Form = keyof typeof forms;

/** What this screen does, as calls that other programs can send. */
export function ApiCallsDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [calls, setCalls] = useState<readonly Shown[]>();
  const [index, setIndex] = useState(0);
  const [form, setForm] = useState<Form>('curl');
  useEffect(() => {
    const planned = plannedCall();
    const first = planned === undefined ? [] : [{ label: t(planned.label), call: planned.call }];
    void Promise.all(sentRequests().map(shownOf)).then((sent) => setCalls([...first, ...changesFirst(sent)]));
  }, [t]);
  const shown = calls?.[index];
  return (
    <Dialog onClose={onClose} title={t('apiCall.title')} size={760}>
      {calls !== undefined && shown === undefined && <EmptyState>{t('apiCall.none')}</EmptyState>}
      {calls !== undefined && shown !== undefined && (
        <div className={classes['body']}>
          {instanceName() !== '' && <Strip>{t('apiCall.remote')}</Strip>}
          <div className={classes['choice']}>
            <NativeSelect
              label={t('apiCall.call')}
              data={calls.map(({ label, call: { method, path } }, at) => ({
                value: String(at),
                label: `${method} ${path.slice('/api/v1'.length)} (${label})`,
              }))}
              value={String(index)}
              onChange={(event) => setIndex(Number(event.currentTarget.value))}
            />
            <SegmentedControl
              aria-label={t('apiCall.form')}
              data={Object.keys(forms)}
              value={form}
              onChange={(value) => setForm(value === 'fetch' ? 'fetch' : 'curl')}
            />
          </div>
          <CodeText text={forms[form](withoutSecrets(shown.call), location.origin)} />
          <p className="meta">
            {t('apiCall.help')} <Link href={paths.system('tokens')}>{t('apiCall.tokens')}</Link>
          </p>
        </div>
      )}
    </Dialog>
  );
}

/** A text that can be copied. Where the browser keeps pages from the clipboard, it can be selected. */
function CodeText({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState('');
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(text));
  return (
    <>
      <ScrollRegion className={classes['code']} label={t('apiCall.call')}>
        <pre>{text}</pre>
      </ScrollRegion>
      {navigator.clipboard !== undefined && (
        <Button variant="default" className={classes['copy'] ?? ''} onClick={copy}>
          {t(copied === text ? 'apiCall.copied' : 'apiCall.copy')}
        </Button>
      )}
    </>
  );
}

async function shownOf({ request, at }: SentRequest): Promise<Shown> {
  const { pathname, search } = new URL(request.url);
  const text = await request.clone().text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  return { label: timeText(at), call: { method: request.method, path: pathname + search, body } };
}

/** What was changed stands before what was only read. */
function changesFirst(calls: readonly Shown[]): readonly Shown[] {
  const isChange = ({ call: { method, path } }: Shown) =>
    method !== 'GET' && !/\/(preview|template-data|changes)$/.test(path);
  return [...calls.filter(isChange), ...calls.filter((call) => !isChange(call))];
}
