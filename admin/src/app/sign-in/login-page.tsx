import { Title } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import { LoginForm } from './login-form.tsx';
import { OutsideFrame } from './outside-frame.tsx';

export function LoginPage() {
  return (
    <OutsideFrame>
      <Title order={1} mb={24}>
        {t('session.title')}
      </Title>
      <LoginForm />
    </OutsideFrame>
  );
}
