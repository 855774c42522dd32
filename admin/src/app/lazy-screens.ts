import { lazyRouteComponent } from '@tanstack/react-router';

export const FirstRun = lazyRouteComponent(() => import('../first-run/first-run.tsx'), 'FirstRun');
