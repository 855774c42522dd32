import { Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { OutsideFrame } from '../app/outside-frame.tsx';
import { LoginForm } from './login-form.tsx';

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
