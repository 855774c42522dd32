import { Checkbox, NativeSelect, NumberInput, Textarea } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, ok } from '../../api/client.ts';
import type { Security, SecuritySettings } from '../../api/generated/schema.ts';
import { queryClient } from '../../api/query-client.ts';
import { FormError } from '../../kit/form/form-error.tsx';
import { useKeptChanges } from '../../kit/form/kept-changes.ts';
import { useSending } from '../../kit/form/sending.ts';
import { SettingsButtons } from '../../kit/form/settings-buttons.tsx';
import classes from '../../ui/layout/section.module.css';
import { showToast } from '../../ui/messages/toasts.ts';
import { Facts } from '../../ui/values/facts.tsx';

const securityQuery = queryOptions({ queryKey: ['security'], queryFn: () => ok(api.GET('/security')) });

const policies = [
  'no-referrer',
  'no-referrer-when-downgrade',
  'origin',
  'origin-when-cross-origin',
  'same-origin',
  'strict-origin',
  'strict-origin-when-cross-origin',
  'unsafe-url',
] as const satisfies readonly SecuritySettings['referrer_policy'][];
const framings = [
  'sameorigin',
  'deny',
  'domains',
  'any',
] as const satisfies readonly SecuritySettings['framing'][];
const hstsFlags = ['hsts_subdomains', 'hsts_preload'] as const;
const otherFlags = ['permissions_policy', 'hide_version'] as const;

/** Security headers of all answers and of pages. */
export function SecuritySection() {
  const { data } = useQuery(securityQuery);
  return data === undefined ? null : <SecurityForm security={data} />;
}

function SecurityForm({ security }: { readonly security: Security }) {
  const { t } = useTranslation();
  const [changes, setChanges] = useKeptChanges<SecuritySettings>('security');
  const values: SecuritySettings = { ...security.settings, ...changes };
  const set = (fields: Partial<SecuritySettings>) => setChanges({ ...changes, ...fields });
  const sending = useSending(async () => {
    const saved = await ok(api.PUT('/security', { body: changes }));
    queryClient.setQueryData(securityQuery.queryKey, saved);
    setChanges({});
    showToast({ tone: 'done', message: t('system.saved') });
  });
  const flag = (
    name: 'hsts' | 'csp_report_only' | (typeof hstsFlags)[number] | (typeof otherFlags)[number],
  ) => (
    <Checkbox
      key={name}
      label={t(`security.${name}`)}
      description={t(`security.${name}Help`)}
      checked={values[name]}
      error={sending.faults[name]}
      onChange={(event) => set({ [name]: event.currentTarget.checked })}
    />
  );
  return (
    <>
      <form className={classes['form']} onSubmit={sending.send}>
        <FormError message={sending.message} />
        <div className={classes['pair']}>
          <NativeSelect
            label={t('security.framing')}
            description={t('security.framingHelp')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={framings.map((value) => ({ value, label: t(`security.framings.${value}`) }))}
            value={values.framing}
            onChange={(event) =>
              set({ framing: framings.find((known) => known === event.currentTarget.value) ?? 'sameorigin' })
            }
          />
          <NativeSelect
            label="Referrer-Policy"
            description={t('security.referrerHelp')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={[{ value: '', label: t('security.noHeader') }, ...policies]}
            value={values.referrer_policy}
            onChange={(event) =>
              set({ referrer_policy: policies.find((known) => known === event.currentTarget.value) ?? '' })
            }
          />
        </div>
        {values.framing === 'domains' && (
          <Textarea
            label={t('security.frame_domains')}
            description={t('security.frame_domainsHelp')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autosize
            minRows={2}
            value={values.frame_domains.join('\n')}
            error={sending.faults['frame_domains']}
            onChange={(event) =>
              set({ frame_domains: event.currentTarget.value.split('\n').map((line) => line.trim()) })
            }
          />
        )}
        {flag('hsts')}
        {values.hsts && (
          <>
            <NumberInput
              label={t('security.hsts_max_age')}
              min={0}
              max={63_072_000}
              value={values.hsts_max_age}
              error={sending.faults['hsts_max_age']}
              onChange={(value) => set({ hsts_max_age: Number(value) })}
            />
            {hstsFlags.map(flag)}
          </>
        )}
        {otherFlags.map(flag)}
        <Textarea
          label="Content-Security-Policy"
          description={t('security.cspHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autosize
          minRows={2}
          value={values.csp}
          error={sending.faults['csp']}
          onChange={(event) => set({ csp: event.currentTarget.value })}
        />
        {values.csp !== '' && flag('csp_report_only')}
        <SettingsButtons
          submit={t('system.save')}
          isSending={sending.isSending}
          changes={changes}
          onDiscard={() => setChanges({})}
        />
      </form>
      <h2>{t('security.headers')}</h2>
      <Facts
        facts={[...security.headers.all, ...security.headers.site].map(({ name, value }) => [name, value])}
      />
    </>
  );
}
