import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, requireData } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { createPasskey, hasPasskeys } from '../../../api/session/passkeys.ts';
import { factorsQuery } from '../../../api/session/session.ts';
import { t, timeText } from '../../../base/i18n/index.ts';
import { DeleteButton } from '../../../kit/delete/confirm-deletion.tsx';
import { FormError } from '../../../kit/form/form-error.tsx';
import { useSubmit } from '../../../kit/form/submit.ts';
import { openDialog } from '../../../ui/floating/dialogs.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import classes from '../../../ui/layout/section.module.css';
import { showRecoveryCodes } from './recovery-codes-dialog.tsx';
import { TotpDialog } from './totp-dialog.tsx';

const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['factors'] });

/** One's own second factors and recovery codes. */
export function FactorList() {
  const { data: factors = [] } = useQuery(factorsQuery);
  const { data: recovery } = useQuery({
    queryKey: ['factors', 'recovery-codes'],
    queryFn: () => requireData(api.GET('/auth/factors/recovery-codes')),
  });
  const renew = useSubmit(async () => {
    const { recovery_codes: codes } = await requireData(api.POST('/auth/factors/recovery-codes'));
    showRecoveryCodes(codes);
    await refresh();
  });
  const addKey = useSubmit(async () => {
    const isFirst = factors.length === 0;
    await requireData(api.POST('/auth/factors/passkeys', { body: await createPasskey() }));
    await refresh();
    if (isFirst) await renew.send();
  });
  return (
    <section>
      <h2>{t('profile.factors')}</h2>
      <p className="quiet line">{t('profile.factorsHelp')}</p>
      <FormError message={addKey.message ?? renew.message} />
      <ul className={classes['rows']}>
        {factors.map(({ id, kind, name, created_at, last_used_at }) => (
          <li key={id} className={classes['row']}>
            <span>
              <b>{name}</b>
              <span className="meta">
                {t(`profile.kind.${kind}`)},{' '}
                {last_used_at === null
                  ? t('profile.added', { time: timeText(created_at) })
                  : t('profile.lastUsed', { time: timeText(last_used_at) })}
              </span>
            </span>
            <DeleteButton
              texts="factors"
              names={{ name }}
              run={async () => {
                await requireData(api.DELETE('/auth/factors/{id}', { params: { path: { id } } }));
                await refresh();
              }}
            />
          </li>
        ))}
      </ul>
      <Group>
        <Button
          leftSection={<Icon name="plus" />}
          onClick={() =>
            openDialog((onClose) => <TotpDialog onClose={onClose} onDone={() => void refresh()} />)
          }
        >
          {t('profile.addTotp')}
        </Button>
        {hasPasskeys && (
          <Button
            variant="default"
            leftSection={<Icon name="key" />}
            loading={addKey.isSending}
            onClick={() => void addKey.send()}
          >
            {t('profile.addPasskey')}
          </Button>
        )}
        {factors.length > 0 && (
          <Button variant="default" loading={renew.isSending} onClick={() => void renew.send()}>
            {t('profile.renewCodes', { count: recovery?.remaining ?? 0 })}
          </Button>
        )}
      </Group>
    </section>
  );
}
