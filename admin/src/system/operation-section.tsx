import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, ok } from '../api/client.ts';
import { Facts } from './facts.tsx';

const systemQuery = queryOptions({ queryKey: ['system'], queryFn: () => ok(api.GET('/system')) });

/** What runs here. The admin is switched off by the command line or the API, because nobody could switch it on here. */
export function OperationSection() {
  const { t } = useTranslation();
  const { data } = useQuery(systemQuery);
  if (data === undefined) return null;
  const yes = (value: boolean) => t(value ? 'entries.yes' : 'entries.no');
  return (
    <>
      <Facts
        facts={[
          [t('operation.version'), data.version],
          [t('operation.writeTokens'), String(data.write_tokens)],
          [t('operation.masterToken'), yes(data.master_token)],
          [t('operation.headless'), yes(data.headless)],
        ]}
      />
      <p className="quiet line">{t('operation.help')}</p>
      <div>
        <a href="/api/v1/openapi.json" target="_blank" rel="noopener">
          {t('operation.api')}
        </a>
      </div>
    </>
  );
}
