import { lazyRouteComponent } from '@tanstack/react-router';
import { styled } from '../ui/styled.ts';

/** Screens that most loads do not show. */
export const LoginPage = lazyRouteComponent(
  () => styled(() => import('../session/login-page.tsx')),
  'LoginPage',
);
export const RemoteFrame = lazyRouteComponent(
  () => styled(() => import('../connections/remote-frame.tsx')),
  'RemoteFrame',
);
export const LeaveRemoteMode = lazyRouteComponent(
  () => styled(() => import('../connections/remote-frame.tsx')),
  'LeaveRemoteMode',
);
export const FirstRun = lazyRouteComponent(
  () => styled(() => import('../first-run/first-run.tsx')),
  'FirstRun',
);
export const NoScreen = lazyRouteComponent(() => styled(() => import('./no-screen.tsx')), 'NoScreen');
