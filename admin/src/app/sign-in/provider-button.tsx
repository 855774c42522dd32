import { Button } from '@mantine/core';
import { useSession } from '../../api/session/session.ts';
import { t } from '../../base/i18n/index.ts';
import { Icon } from '../../ui/icons/icon.tsx';

/** Leads to the provider of OpenID Connect, if there is one. */
export function ProviderButton() {
  const { data: session } = useSession();
  if (session?.oidc !== true) return null;
  return (
    <Button component="a" href="/api/v1/auth/oidc/start" variant="default" leftSection={<Icon name="key" />}>
      {t('session.useProvider')}
    </Button>
  );
}
