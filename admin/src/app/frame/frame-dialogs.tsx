import { CatchBoundary } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { confirmation } from '../../api/renewal/confirmation.ts';
import { sessionRenewal } from '../../api/renewal/session-renewal.ts';
import { useSession } from '../../api/session/session.ts';
import { useShared } from '../../base/shared-value.ts';
import { closeDialog, useOpenDialog } from '../../ui/floating/dialogs.ts';
import { styled } from '../../ui/theme/styled.ts';
import { EarlySearchInput } from '../palette/early-search.tsx';
import { PartFailed } from './failed.tsx';

const SessionEnded = lazy(async () => ({
  default: (await styled(() => import('../sign-in/ended-dialog.tsx'))).SessionEndedDialog,
}));
const Confirm = lazy(async () => ({
  default: (await styled(() => import('../sign-in/confirm-dialog.tsx'))).ConfirmDialog,
}));
const Palette = lazy(async () => ({
  default: (await styled(() => import('../palette/palette.tsx'))).Palette,
}));
const Shortcuts = lazy(async () => ({
  default: (await styled(() => import('./shortcuts.tsx'))).Shortcuts,
}));
const NewSite = lazy(async () => ({
  default: (await styled(() => import('./new-site.tsx'))).NewSite,
}));
const ApiCalls = lazy(async () => ({
  default: (await styled(() => import('../../kit/api-calls/api-calls-dialog.tsx'))).ApiCallsDialog,
}));

const frameDialogs = {
  palette: Palette,
  shortcuts: Shortcuts,
  newSite: NewSite,
  apiCalls: ApiCalls,
} as const;

/** The dialogs of whoever is signed in: the open one, and those that requests wait for. */
export function FrameDialogs() {
  const { data: session } = useSession();
  const isRenewalNeeded = useShared(sessionRenewal.isNeeded);
  const isConfirmationNeeded = useShared(confirmation.isNeeded);
  return (
    <>
      {isRenewalNeeded && (
        <Suspense>
          <SessionEnded username={session?.user?.username ?? ''} />
        </Suspense>
      )}
      {isConfirmationNeeded && (
        <Suspense>
          <Confirm />
        </Suspense>
      )}
      <OpenDialog />
    </>
  );
}

function OpenDialog() {
  const open = useOpenDialog();
  if (open === undefined) return null;
  const close = () => closeDialog(open);
  const Named = typeof open === 'string' ? frameDialogs[open] : undefined;
  return (
    <CatchBoundary getResetKey={() => String(open)} errorComponent={PartFailed}>
      <Suspense fallback={open === 'palette' && <EarlySearchInput onClose={close} />}>
        {Named !== undefined && <Named onClose={close} />}
        {typeof open === 'function' && open(close)}
      </Suspense>
    </CatchBoundary>
  );
}
