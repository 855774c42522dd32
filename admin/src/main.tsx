import './ui/theme/styles.ts';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { prefetchSession } from './api/session/session.ts';
import { router } from './app/router.tsx';
import { startTexts } from './base/i18n/index.ts';
import { startKeys } from './commands/keys.ts';
import { loadDraftNames } from './editing/drafts.ts';
import { showChosenScheme } from './ui/theme/color-scheme.ts';
import { cssVariables, theme } from './ui/theme/theme.ts';

showChosenScheme();
prefetchSession();
void loadDraftNames();
startKeys();
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element for the admin');
await startTexts();
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Suspense>
          <RouterProvider router={router} />
        </Suspense>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
