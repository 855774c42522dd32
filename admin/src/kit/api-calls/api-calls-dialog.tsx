import { NativeSelect } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ApiCall } from '../../api/api-call.ts';
import { instanceName } from '../../api/instance.ts';
import { type SentRequest, sentRequests } from '../../api/sent.ts';
import { t, timeText } from '../../base/i18n/index.ts';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';
import { plannedCall } from '../../commands/api-call.ts';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { Strip } from '../../ui/messages/strip.tsx';
import { withoutSecrets } from './call.ts';
import { CallText } from './call-text.tsx';

interface Shown {
  readonly label: string;
  readonly call: ApiCall;
}

/** What this screen does, as calls that other programs can send. */
export function ApiCallsDialog({ onClose }: { readonly onClose: () => void }) {
  const [calls, setCalls] = useState<readonly Shown[]>();
  const [index, setIndex] = useState(0);
  useEffect(() => {
    const planned = plannedCall();
    const first = planned === undefined ? [] : [{ label: t(planned.label), call: planned.call }];
    void Promise.all(sentRequests().map(shownOf)).then((sent) => setCalls([...first, ...changesFirst(sent)]));
  }, []);
  const shown = calls?.[index];
  return (
    <Dialog onClose={onClose} title={t('apiCall.title')} size={760}>
      {calls !== undefined && shown === undefined && <EmptyState>{t('apiCall.none')}</EmptyState>}
      {calls !== undefined && shown !== undefined && (
        <div className="stack-12">
          {instanceName() !== '' && <Strip>{t('apiCall.remote')}</Strip>}
          <CallText call={withoutSecrets(shown.call)}>
            <NativeSelect
              label={t('apiCall.call')}
              data={calls.map(({ label, call: { method, path } }, at) => ({
                value: String(at),
                label: `${method} ${path.slice('/api/v1'.length)} (${label})`,
              }))}
              value={String(index)}
              onChange={(event) => setIndex(Number(event.currentTarget.value))}
            />
          </CallText>
          <p className="meta">
            {t('apiCall.help')} <Link href={paths.system('tokens')}>{t('apiCall.tokens')}</Link>{' '}
            <Link href={paths.apiReference()}>{t('nav.api')}</Link>
          </p>
        </div>
      )}
    </Dialog>
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
