import { lazyRouteComponent } from '@tanstack/react-router';
import { styled } from '../ui/styled.ts';

/** Screens that most loads do not show. */
export const LoginPage = lazyRouteComponent(
  () => styled(() => import('../session/login-page.tsx')),
  'LoginPage',
);
export const FirstRun = lazyRouteComponent(
  () => styled(() => import('../first-run/first-run.tsx')),
  'FirstRun',
);
