import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, requireData } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { t } from '../../base/i18n/index.ts';
import { sizeText } from '../../base/i18n/size-text.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import { Facts } from '../../ui/values/facts.tsx';

const cacheQuery = queryOptions({
  queryKey: ['cache'],
  queryFn: () => requireData(api.GET('/cache')),
  refetchInterval: 5000,
});

/** What the cache of pages holds, and how often it answers. */
export function CacheSection() {
  const { data } = useQuery(cacheQuery);
  if (data === undefined) return null;
  const { enabled, entries, bytes, max_bytes, hits, misses } = data;
  const share = hits + misses === 0 ? 0 : hits / (hits + misses);
  return (
    <>
      <p className="quiet line">{t(enabled ? 'cache.help' : 'cache.off')}</p>
      <Facts
        facts={[
          [t('cache.entries'), entries.toLocaleString()],
          [t('cache.size'), t('cache.sizeOf', { size: sizeText(bytes), max: sizeText(max_bytes) })],
          [t('cache.hits'), hits.toLocaleString()],
          [t('cache.misses'), misses.toLocaleString()],
          [t('cache.share'), share.toLocaleString(undefined, { style: 'percent', maximumFractionDigits: 1 })],
        ]}
      />
      <div>
        <CommandButton
          variant="default"
          command={{
            id: 'cache.clear',
            label: 'cache.clear',
            icon: 'broom',
            async run() {
              await requireData(api.DELETE('/cache'));
              await queryClient.invalidateQueries(cacheQuery);
              return { message: t('cache.cleared') };
            },
          }}
        />
      </div>
    </>
  );
}
