import { lazy, Suspense } from 'react';
import type { VisitsChartProps } from './visits-chart.tsx';

const Loaded = lazy(async () => ({ default: (await import('./visits-chart.tsx')).VisitsChart }));

/** The chart, whose library comes with the first one. Its place is there before. */
export function LazyVisitsChart(props: VisitsChartProps) {
  return (
    <Suspense fallback={<div style={{ height: 248 }} />}>
      <Loaded {...props} />
    </Suspense>
  );
}
