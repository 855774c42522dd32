import { lazyRouteComponent } from '@tanstack/react-router';
import { styled } from '../../ui/theme/styled.ts';

/** Screens that most loads do not show. */
export const LoginPage = lazyRouteComponent(
  () => styled(() => import('../sign-in/login-page.tsx')),
  'LoginPage',
);
export const InvitationPage = lazyRouteComponent(
  () => styled(() => import('../sign-in/invitation-page.tsx')),
  'InvitationPage',
);
export const PasswordPage = lazyRouteComponent(
  () => styled(() => import('../sign-in/password-page.tsx')),
  'PasswordPage',
);
export const FactorPage = lazyRouteComponent(
  () => styled(() => import('../sign-in/factor-page.tsx')),
  'FactorPage',
);
export const RemoteFrame = lazyRouteComponent(
  () => styled(() => import('../../screens/system/connections/remote-frame.tsx')),
  'RemoteFrame',
);
export const LeaveRemoteMode = lazyRouteComponent(
  () => styled(() => import('../../screens/system/connections/remote-frame.tsx')),
  'LeaveRemoteMode',
);
export const FirstRun = lazyRouteComponent(
  () => styled(() => import('../sign-in/first-run.tsx')),
  'FirstRun',
);
export const NoScreen = lazyRouteComponent(() => styled(() => import('./no-screen.tsx')), 'NoScreen');
