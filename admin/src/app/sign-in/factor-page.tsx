import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { factorsQuery, logOut } from '../../api/session/session.ts';
import { t } from '../../base/i18n/index.ts';
import { useDocumentTitle } from '../../ui/layout/document-title.ts';
import { OutsideFrame } from './outside-frame.tsx';

const FactorList = lazy(async () => ({
  default: (await import('../../screens/system/profile/factor-list.tsx')).FactorList,
}));

/** Whoever has a role that demands a second factor sets one up before anything else. */
export function FactorPage() {
  const { data: factors = [] } = useQuery(factorsQuery);
  useDocumentTitle(t('session.factorTitle'));
  return (
    <OutsideFrame isWide>
      <Title order={1} mb={16}>
        {t('session.factorTitle')}
      </Title>
      <Stack gap={16}>
        <Text>{t('session.factorWhy')}</Text>
        <Suspense>
          <FactorList />
        </Suspense>
        <Group>
          {factors.length > 0 && (
            <Button onClick={() => void queryClient.invalidateQueries()}>{t('session.goOn')}</Button>
          )}
          <Button variant="default" onClick={() => void logOut()}>
            {t('session.logOut')}
          </Button>
        </Group>
      </Stack>
    </OutsideFrame>
  );
}
