import { queryOptions } from '@tanstack/react-query';
import { api, requireData } from '../../api/client.ts';
import * as forms from '../../api/generated/forms.ts';
import { queryClient } from '../../api/query-client.ts';
import { t } from '../../base/i18n/index.ts';
import { SettingsSection } from '../../kit/form/settings-section.tsx';
import { Facts } from '../../ui/values/facts.tsx';
import { GroupsInput } from './people/groups-input.tsx';

const oidcQuery = queryOptions({
  queryKey: ['oidc'],
  queryFn: () => requireData(api.GET('/system/oidc')),
});

/** The provider of OpenID Connect with which users log in. */
export function OidcSection() {
  return (
    <SettingsSection
      name="oidc"
      texts="oidc"
      query={oidcQuery}
      secret="client_secret"
      schema={forms.OidcUpdate}
      layout={['issuer', 'client_id', 'client_secret', 'create_users', 'groups_claim', 'groups']}
      inputs={{ groups: GroupsInput }}
      settingsOf={({ secret_set: _hasSecret, ...settings }) => settings}
      help={({ secret_set: hasSecret }) => ({
        client_secret: t(hasSecret ? 'oidc.secretStored' : 'oidc.secretMissing'),
      })}
      save={async (body) => {
        const saved = await requireData(api.PUT('/system/oidc', { body }));
        // The login offers it from now on, or does not any more.
        await queryClient.invalidateQueries({ queryKey: ['session'] });
        return saved;
      }}
      state={() => (
        <Facts
          facts={[
            [t('oidc.callback'), <code key="callback">{location.origin}/api/v1/auth/oidc/callback</code>],
          ]}
        />
      )}
    />
  );
}
