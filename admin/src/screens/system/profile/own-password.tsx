import { Button } from '@mantine/core';
import { api, requireData } from '../../../api/client.ts';
import { t } from '../../../base/i18n/index.ts';
import { CreateDialog } from '../../../kit/form/create-dialog.tsx';
import { openDialog } from '../../../ui/floating/dialogs.ts';
import { showToast } from '../../../ui/messages/toasts.ts';

/** Changes one's own password. */
export function OwnPassword() {
  return (
    <section>
      <h2>{t('session.password')}</h2>
      <div>
        <Button
          variant="default"
          onClick={() => openDialog((onClose) => <ChangePassword onClose={onClose} />)}
        >
          {t('profile.changePassword')}
        </Button>
      </div>
    </section>
  );
}

function ChangePassword({ onClose }: { readonly onClose: () => void }) {
  return (
    <CreateDialog
      title={t('profile.changePassword')}
      submit={t('session.saveNewPassword')}
      initial={{ current: '', password: '' }}
      intro={<p className="line">{t('profile.passwordEffect')}</p>}
      fields={[
        {
          name: 'current',
          label: 'session.presentPassword',
          isSecret: true,
          autoComplete: 'current-password',
        },
        {
          name: 'password',
          label: 'session.newPassword',
          help: 'session.passwordRules',
          isSecret: true,
          autoComplete: 'new-password',
        },
      ]}
      create={({ current, password }) =>
        requireData(
          api.POST('/auth/password', { body: { current_password: current, new_password: password } }),
        )
      }
      onDone={() => showToast({ tone: 'done', message: t('profile.passwordChanged') })}
      onClose={onClose}
    />
  );
}
