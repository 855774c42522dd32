import { lazyRouteComponent } from '@tanstack/react-router';

/** Screens that most loads do not show. */
export const LoginPage = lazyRouteComponent(() => import('../session/login-page.tsx'), 'LoginPage');
export const FirstRun = lazyRouteComponent(() => import('../first-run/first-run.tsx'), 'FirstRun');
