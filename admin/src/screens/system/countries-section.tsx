import { Switch } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, requireData } from '../../api/client.ts';
import { sentAsForm } from '../../api/form.ts';
import type { GeoState } from '../../api/generated/schema.ts';
import { queryClient } from '../../api/query-client.ts';
import { t, timeText } from '../../base/i18n/index.ts';
import type { Command } from '../../commands/command.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import { runCommand } from '../../commands/run.ts';
import classes from '../../ui/layout/section.module.css';
import { UploadButton } from '../../ui/values/upload-button.tsx';

const geoQuery = queryOptions({
  queryKey: ['geo'],
  queryFn: () => requireData(api.GET('/geo')),
  refetchInterval: ({ state }) => (state.data?.running === true ? 1000 : false),
});

/** Where the countries of visitors come from: the lists of the five registries of addresses. */
export function CountriesSection() {
  const { data } = useQuery(geoQuery);
  if (data === undefined) return null;
  return (
    <>
      <p className="quiet line">{t('geo.help')}</p>
      <Switch
        label={t('geo.enabled')}
        description={t('geo.enabledHelp')}
        checked={data.enabled}
        onChange={(event) => void runCommand(enableCommand(event.currentTarget.checked))}
      />
      <ul className={classes['rows']} aria-label={t('geo.lists')}>
        {data.sources.map((source) => (
          <li key={source.rir} className={classes['row']}>
            <Registry source={source} />
          </li>
        ))}
      </ul>
      <div className="bar">
        <CommandButton command={updateCommand(data)} variant="default" />
        <UploadButton
          variant="default"
          label={t('geo.upload')}
          onFiles={(files) => void runCommand(uploadCommand(files))}
        />
        {data.running && <span role="status">{t('geo.running')}</span>}
      </div>
    </>
  );
}

function Registry({ source }: { readonly source: GeoState['sources'][number] }) {
  const { rir, ranges, updated_at, error } = source;
  return (
    <span>
      <b>{rir === 'ripencc' ? 'RIPE NCC' : rir.toUpperCase()}</b>
      <span className="meta">
        {updated_at === 0
          ? t('geo.noList')
          : t('geo.list', { count: ranges, value: ranges.toLocaleString(), time: timeText(updated_at) })}
      </span>
      {error !== '' && <span className={classes['failed']}>{error}</span>}
    </span>
  );
}

function stateChanged(state: GeoState): void {
  queryClient.setQueryData(geoQuery.queryKey, state);
}

function enableCommand(enabled: boolean): Command {
  return {
    id: 'geo.enable',
    label: 'geo.enabled',
    icon: 'globe-simple',
    run: async () => stateChanged(await requireData(api.PUT('/geo', { body: { enabled } }))),
  };
}

function updateCommand({ enabled, running }: GeoState): Command {
  return {
    id: 'geo.update',
    label: 'geo.update',
    icon: 'arrows-clockwise',
    can: () => enabled && !running,
    run: async () => stateChanged(await requireData(api.POST('/geo/update'))),
  };
}

function uploadCommand(files: readonly File[]): Command {
  return {
    id: 'geo.upload',
    label: 'geo.upload',
    icon: 'upload-simple',
    async run() {
      const form = new FormData();
      for (const file of files) form.append('file', file);
      stateChanged(await requireData(api.POST('/geo/upload', sentAsForm<{ readonly file: string[] }>(form))));
      return { message: t('geo.uploaded') };
    },
  };
}
