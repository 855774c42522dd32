/** The metrics of the server as the admin reads them. */
import { expect, it } from 'vitest';
import { computeFigures } from '../../admin/src/screens/system/metrics/figures.ts';
import { Metrics } from '../../admin/src/screens/system/metrics/parse.ts';

it('sums values by name and labels', () => {
  const metrics = Metrics.parse(
    [
      '# HELP requests Answered requests.',
      'requests{area="api",status="2xx"} 2',
      'requests{area="public",status="2xx"} 3 1700000000000',
      'requests{area="public",status="5xx",note="a \\"b\\", {c}"} 1.5e1',
      'plain 7',
      '',
    ].join('\n'),
  );
  expect(metrics.sum('requests')).toBe(20);
  expect(metrics.sum('requests', { area: 'public' })).toBe(18);
  expect(metrics.sum('requests', { area: 'public', status: '2xx' })).toBe(3);
  expect([metrics.sum('plain'), metrics.sum('nothing')]).toEqual([7, 0]);
});

it('figures are shares and rates since an earlier reading; a restart is no negative rate', () => {
  const reading = (at: number, requests: number, hits: number) => ({
    at,
    metrics: Metrics.parse(
      `incipit_http_requests_total{status="2xx"} ${requests}\nincipit_cache_requests_total{result="hit"} ${hits}\nincipit_cache_requests_total{result="miss"} 1`,
    ),
  });
  const figures = computeFigures(reading(10_000, 60, 3), reading(0, 10, 1));
  expect(figures).toMatchObject({ requests: 60, requestsPerSecond: 5, cacheShare: 0.75 });
  expect(figures.taskSeconds).toBeUndefined();
  expect(computeFigures(reading(10_000, 1, 0), reading(0, 10, 1)).requestsPerSecond).toBe(0);
  expect(computeFigures(reading(10_000, 1, 0), undefined).requestsPerSecond).toBe(0);
});
