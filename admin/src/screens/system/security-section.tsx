import { queryOptions } from '@tanstack/react-query';
import { api, requireData } from '../../api/client.ts';
import * as forms from '../../api/generated/forms.ts';
import { t } from '../../base/i18n/index.ts';
import { LongText } from '../../kit/form/field-input.tsx';
import { SettingsSection } from '../../kit/form/settings-section.tsx';
import { Facts } from '../../ui/values/facts.tsx';

const securityQuery = queryOptions({
  queryKey: ['security'],
  queryFn: () => requireData(api.GET('/security')),
});

/** Security headers of all answers and of pages. */
export function SecuritySection() {
  return (
    <SettingsSection
      name="security"
      texts="security"
      query={securityQuery}
      schema={forms.SecurityUpdate}
      layout={[
        ['framing', 'referrer_policy'],
        { if: ({ framing }) => framing === 'domains', show: ['frame_domains'] },
        'hsts',
        { if: ({ hsts }) => hsts === true, show: ['hsts_max_age', 'hsts_subdomains', 'hsts_preload'] },
        'permissions_policy',
        'hide_version',
        'csp',
        { if: ({ csp }) => csp !== '', show: ['csp_report_only'] },
      ]}
      choices={{ framing: ['sameorigin', 'deny', 'domains', 'any'], referrer_policy: policies }}
      inputs={{ csp: LongText }}
      settingsOf={({ settings }) => settings}
      save={(body) => requireData(api.PUT('/security', { body }))}
    >
      {({ headers }) => (
        <>
          <h2>{t('security.headers')}</h2>
          <Facts facts={[...headers.all, ...headers.site].map(({ name, value }) => [name, value])} />
        </>
      )}
    </SettingsSection>
  );
}

/** No header first. */
const policies = [
  '',
  'no-referrer',
  'no-referrer-when-downgrade',
  'origin',
  'origin-when-cross-origin',
  'same-origin',
  'strict-origin',
  'strict-origin-when-cross-origin',
  'unsafe-url',
] as const;
