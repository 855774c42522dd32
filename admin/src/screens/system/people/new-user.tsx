import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import type { User } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import { FormDialog } from '../../../kit/form/form-dialog.tsx';
import { FormText } from '../../../kit/form/form-text.tsx';
import { useSubmit } from '../../../kit/form/submit.ts';
import { showToast } from '../../../ui/messages/toasts.ts';
import { invite, useRoles, users } from './queries.ts';
import { RoleSelect } from './roles-input.tsx';

/** Asks who it is, and whether the person chooses a password or gets one. */
export function NewUser({ onClose }: { readonly onClose: () => void }) {
  const [body, setBody] = useState({ username: '', name: '', email: '', password: '' });
  // Who begins with the fewest rights that are of use.
  const editor = useRoles().filter(({ builtin, name }) => builtin && name === 'editor');
  const [roleIds, setRoleIds] = useState<readonly number[]>(editor.map(({ id }) => id));
  const [isInvited, setInvited] = useState(true);
  const [made, setMade] = useState<User>();
  const sending = useSubmit(async () => {
    const { password, ...person } = body;
    const secret = isInvited ? {} : { password, must_change_password: true };
    // Sent again after an invitation that has failed, the user is there already.
    const user = made ?? (await users.create({ ...person, ...secret, role_ids: [...roleIds] }));
    setMade(user);
    if (isInvited) {
      await invite(user);
    } else {
      onClose();
      showToast({ tone: 'done', message: t('users.created', { name: user.username }) });
    }
  });
  const { faults } = sending;
  const text = (name: keyof typeof body) => ({
    value: body[name],
    error: faults[name],
    onChange: (value: string) => setBody({ ...body, [name]: value }),
  });
  return (
    <FormDialog
      title={t('users.new')}
      submit={t(isInvited ? 'users.invite' : 'users.create')}
      sending={sending}
      onClose={onClose}
    >
      <FormText
        {...text('username')}
        isFirst
        label={t('users.username')}
        help={t('users.usernameHelp')}
        autoComplete="off"
      />
      <FormText {...text('name')} label={t('users.name')} isOptional autoComplete="off" />
      <FormText {...text('email')} label={t('users.email')} isOptional={!isInvited} autoComplete="off" />
      <RoleSelect
        label={t('users.role_ids')}
        error={faults['role_ids']}
        value={roleIds}
        onChange={setRoleIds}
      />
      <Radio.Group
        label={t('users.firstPassword')}
        value={isInvited ? 'invite' : 'set'}
        onChange={(value) => setInvited(value === 'invite')}
      >
        <Stack gap={8} mt={4}>
          <Radio value="invite" label={t('users.byInvitation')} description={t('users.byInvitationHelp')} />
          <Radio value="set" label={t('users.byPassword')} description={t('users.byPasswordHelp')} />
        </Stack>
      </Radio.Group>
      {!isInvited && (
        <FormText
          {...text('password')}
          label={t('users.newPassword')}
          help={t('session.passwordRules')}
          isSecret
          autoComplete="new-password"
        />
      )}
    </FormDialog>
  );
}
