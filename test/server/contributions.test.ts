import { expect, it } from 'vitest';
import { Contributions } from '../../server/contributions.ts';
import type { Figure } from '../../server/feature.ts';

const figure: Figure = { type: 'gauge', name: 'things', help: 'Things.', read: () => 1 };

it('tells each visit to the features that listen to its sort', () => {
  const told: unknown[][] = [];
  const contributions = new Contributions();
  contributions.fill([
    { visits: { missed: (...visit) => told.push(['one', ...visit]) } },
    {},
    {
      visits: { missed: (...visit) => told.push(['two', ...visit]), redirected: () => told.push(['moved']) },
    },
  ]);
  contributions.visits.missed(1, '/gone', '');
  contributions.visits.redirected(1, 2);
  expect(told).toEqual([['one', 1, '/gone', ''], ['two', 1, '/gone', ''], ['moved']]);
});

it('asks features until one answers', async () => {
  const contributions = new Contributions();
  contributions.fill([
    { outside: () => undefined },
    {
      outside: (request) =>
        'slug' in request ? Promise.resolve({ ...request, error: 'none', expiresAt: 0 }) : undefined,
    },
  ]);
  expect(await contributions.answerOutside({ slug: 'rates', params: {} })).toMatchObject({ slug: 'rates' });
  expect(() => contributions.answerOutside({ sitemapSource: {} } as never)).toThrow('no feature answers');
});

it('holds the figures of all features in their order', () => {
  const contributions = new Contributions();
  contributions.fill([{ figures: [figure] }, {}, { figures: [{ ...figure, name: 'others' }] }]);
  expect(contributions.figures().map(({ name }) => name)).toEqual(['things', 'others']);
});

it('is filled once, and read after that', () => {
  const contributions = new Contributions();
  expect(() => contributions.figures()).toThrow('not created yet');
  expect(() => contributions.visits.redirected(1, 2)).toThrow('not created yet');
  contributions.fill([]);
  expect(() => contributions.fill([])).toThrow('once');
});
