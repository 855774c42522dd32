import Type from 'typebox';
import { Reply } from '../../api/reply.ts';
import { defineRoute, type Route } from '../../api/route.ts';
import { liveEvents } from './live.ts';
import {
  Live,
  LiveQuery,
  PathQuery,
  PathReport,
  SiteQuery,
  StatisticsQuery,
  StatisticsReport,
  ValueQuery,
  ValueReport,
} from './model.ts';
import type { Statistics } from './service.ts';

/** Visitor statistics (Data, Automation and Operations, "Statistics and country data"). */
export function statisticsRoutes(statistics: Statistics): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/stats',
      access: 'read',
      needs: 'objects',
      summary: 'Visits of a range of days; what was counted until now is in it',
      query: StatisticsQuery,
      response: StatisticsReport,
      errors: ['common.notFound'],
      handle: ({ query, host }) => statistics.report(query, host),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/stats',
      access: 'write',
      needs: 'settings',
      summary: 'Delete the statistics of a website, or of all',
      query: SiteQuery,
      errors: ['common.notFound'],
      handle: ({ query, host }) => statistics.remove(query, host),
    }),
    defineRoute({
      method: 'GET',
      path: '/stats/export',
      access: 'read',
      needs: 'objects',
      summary: 'Visits of a range of days as CSV',
      query: StatisticsQuery,
      response: Type.String(),
      produces: 'text/csv',
      errors: ['common.notFound'],
      handle: async ({ query, host }) =>
        Reply.text(await statistics.export(query, host), 'text/csv; charset=utf-8', {
          headers: [['Content-Disposition', 'attachment; filename="statistics.csv"']],
        }),
    }),
    defineRoute({
      method: 'GET',
      path: '/stats/paths',
      access: 'read',
      needs: 'objects',
      summary: 'Visits of one page over time',
      query: PathQuery,
      response: PathReport,
      errors: ['common.notFound'],
      handle: ({ query, host }) => statistics.pathReport(query, host),
    }),
    defineRoute({
      method: 'GET',
      path: '/stats/values',
      access: 'read',
      needs: 'objects',
      summary: 'Visitors with one referrer, browser, system, device or country over time',
      query: ValueQuery,
      response: ValueReport,
      errors: ['common.notFound'],
      handle: ({ query, host }) => statistics.valueReport(query, host),
    }),
    defineRoute({
      method: 'GET',
      path: '/stats/live',
      access: 'read',
      needs: 'objects',
      summary: 'What is being read at the moment',
      query: LiveQuery,
      response: Live,
      events: {
        about:
          'An event `live` at once and every 5 s; its data is the body of the answer without events. Ends with the credential.',
        most: 200,
      },
      errors: ['common.notFound', 'common.busy'],
      async handle({ query, host, events }) {
        const site = await statistics.siteOf(query.root_id ?? 'all', host);
        return events === undefined ? statistics.live(site) : liveEvents(statistics, site);
      },
    }),
  ];
}
