import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, requireData } from '../../api/client.ts';
import * as forms from '../../api/generated/forms.ts';
import type { System } from '../../api/generated/schema.ts';
import { queryClient } from '../../api/query-client.ts';
import { meQuery } from '../../api/session/rights.ts';
import { t } from '../../base/i18n/index.ts';
import { systemQuery } from '../../content/trash.ts';
import { confirmFirst } from '../../kit/form/confirm-first.tsx';
import { SettingsSection } from '../../kit/form/settings-section.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import classes from '../../ui/layout/section.module.css';
import { Facts } from '../../ui/values/facts.tsx';
import systemClasses from './system.module.css';

/** What runs here, with what options, what everyone may read at once, and the two ways to close the admin. */
export function OperationSection() {
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
        ]}
      />
      <h2>{t('operation.limits')}</h2>
      <SettingsSection
        name="operation"
        texts="operation"
        query={systemQuery}
        schema={forms.SystemUpdate}
        layout={['public_max_entries', ['trash_days', 'trash_max_mb'], ['public_url', 'idle_minutes']]}
        settingsOf={({ public_max_entries, trash_days, trash_max_mb, public_url, idle_minutes }) => ({
          ...{ public_max_entries, trash_days, trash_max_mb, public_url, idle_minutes },
        })}
        save={(body) => requireData(api.PUT('/system', { body }))}
      />
      <h2>{t('operation.publishing')}</h2>
      <SettingsSection
        name="publishing"
        texts="operation"
        query={systemQuery}
        schema={forms.SystemUpdate}
        layout={['live_saves', 'review_required']}
        settingsOf={({ live_saves, review_required }) => ({ live_saves, review_required })}
        save={savePublishing}
      />
      <h2>{t('operation.closing')}</h2>
      <Closing system={data} />
      <h2>{t('operation.options')}</h2>
      <p className="quiet line">{t('operation.optionsHelp')}</p>
      <OptionsTable options={data.options} />
    </>
  );
}

/** Editors ask with their user whether they save live. */
async function savePublishing(body: Partial<System>): Promise<System> {
  const saved = await requireData(api.PUT('/system', { body }));
  await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
  return saved;
}

/** Ways to close the admin. `off` is the body of the request. */
const ways = [
  { name: 'admin', off: { admin_enabled: false } },
  { name: 'headless', off: { headless: true } },
] as const;

/** Closing needs a way back that is not the admin itself. */
function Closing({ system }: { readonly system: System }) {
  const hasWayBack = system.master_token || system.write_tokens > 0;
  return (
    <>
      <p className="quiet line">{t(hasWayBack ? 'operation.wayBack' : 'operation.noWayBack')}</p>
      <ul className={classes['rows']}>
        {ways.map((way) => (
          <li key={way.name} className={classes['row']}>
            <span>
              <b>{t(`operation.ways.${way.name}.title`)}</b>
              <span className="meta">{t(`operation.ways.${way.name}.help`)}</span>
            </span>
            <Button
              variant="subtle"
              color="brick"
              size="compact-sm"
              disabled={!hasWayBack || system.forced}
              onClick={() =>
                confirmFirst({
                  title: t(`operation.ways.${way.name}.title`),
                  loss: t('operation.closeLoss'),
                  submit: t(`operation.ways.${way.name}.run`),
                  run: async () => {
                    await requireData(api.PUT('/system', { body: way.off }));
                    // This session has ended, as all others have.
                    location.reload();
                  },
                })
              }
            >
              {t(`operation.ways.${way.name}.run`)}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The start options; those that were set stand out. */
function OptionsTable({ options }: { readonly options: System['options'] }) {
  return (
    <div className={systemClasses['options']}>
      <DataTable
        className={systemClasses['table']}
        rows={options}
        keyOf={({ name }) => name}
        columns={[
          { head: t('operation.option'), isName: true, cell: ({ name }) => <code>-{name}</code> },
          {
            head: t('operation.value'),
            attributes: ({ value, default: usual }) => ({ 'data-set': value !== usual || undefined }),
            cell: ({ value, default: usual }) => (
              <>
                {value === '' ? <span className="quiet">–</span> : value}
                {value !== usual && usual !== '' && (
                  <span className="meta"> {t('operation.usually', { value: usual })}</span>
                )}
              </>
            ),
          },
          {
            head: t('operation.meaning'),
            className: 'quiet',
            attributes: () => ({ lang: 'en' }),
            cell: ({ help }) => help,
          },
        ]}
      />
    </div>
  );
}
