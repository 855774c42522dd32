import { Title } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import { useDocumentTitle } from '../../ui/layout/document-title.ts';
import { LoginForm } from './login-form.tsx';
import { OutsideFrame } from './outside-frame.tsx';

export function LoginPage() {
  useDocumentTitle(t('session.title'));
  return (
    <OutsideFrame>
      <Title order={1} mb={24}>
        {t('session.title')}
      </Title>
      <LoginForm />
    </OutsideFrame>
  );
}
