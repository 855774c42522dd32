import { PasswordInput, TextInput, Title } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import type { Faults } from '../../kit/form/form-texts.ts';
import { helpAbove } from '../../ui/layout/help-above.ts';
import classes from './first-run.module.css';

/** The account of the first administrator, as it is entered. */
interface Account {
  readonly username: string;
  readonly password: string;
  /** Empty unless the server asks for it. */
  readonly setupToken: string;
}

export const noAccount: Account = { username: '', password: '', setupToken: '' };

interface FirstAccountProps {
  readonly account: Account;
  readonly faults: Faults;
  readonly needsToken: boolean;
  onChange(account: Account): void;
}

/** Asks for the name and the password of the first administrator. */
export function FirstAccount({ account, faults, needsToken, onChange }: FirstAccountProps) {
  const { username, password, setupToken } = account;
  return (
    <section className={classes['part']}>
      <Title order={2} size="h3">
        {t('firstRun.account')}
      </Title>
      <div className={classes['two']}>
        <TextInput
          label={t('session.username')}
          autoComplete="username"
          autoFocus
          required
          maxLength={64}
          value={username}
          error={faults['username']}
          onChange={({ currentTarget }) => onChange({ ...account, username: currentTarget.value })}
        />
        <PasswordInput
          label={t('session.password')}
          description={t('session.passwordHelp')}
          autoComplete="new-password"
          required
          minLength={12}
          maxLength={1024}
          value={password}
          error={faults['password']}
          onChange={({ currentTarget }) => onChange({ ...account, password: currentTarget.value })}
          visibilityToggleButtonProps={{ 'aria-label': t('session.showPassword') }}
        />
      </div>
      {needsToken && (
        <TextInput
          {...helpAbove}
          label={t('session.setupToken')}
          description={t('session.setupTokenHelp')}
          required
          value={setupToken}
          error={faults['setup_token']}
          onChange={({ currentTarget }) => onChange({ ...account, setupToken: currentTarget.value })}
        />
      )}
    </section>
  );
}
