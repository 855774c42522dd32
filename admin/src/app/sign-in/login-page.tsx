import { Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LoginForm } from './login-form.tsx';
import { OutsideFrame } from './outside-frame.tsx';

export function LoginPage() {
  const { t } = useTranslation();
  return (
    <OutsideFrame>
      <Title order={1} mb={24}>
        {t('session.title')}
      </Title>
      <LoginForm />
    </OutsideFrame>
  );
}
