import Type, { type Static } from 'typebox';
import { dimensions } from './kinds.ts';

const rootId = Type.Optional(
  Type.String({
    pattern: '^(?:all|0|[1-9]\\d{0,14})$',
    description: 'ID of the website; default: that of the domain of the request; `0` or `all`: all websites.',
  }),
);

const day = (text: string) => Type.Optional(Type.String({ description: `${text}, as \`YYYY-MM-DD\`.` }));

const range = {
  from: day('First day; default: 29 days before `to`'),
  to: day('Last day; default: today in server time'),
};

export const StatisticsQuery = Type.Object({ root_id: rootId, ...range });
export type StatisticsQuery = Static<typeof StatisticsQuery>;

export const SiteQuery = Type.Object({ root_id: rootId });
export type SiteQuery = Static<typeof SiteQuery>;

export const PathQuery = Type.Object({
  root_id: rootId,
  path: Type.String({ minLength: 1, description: 'The path as `pages` of `GET /stats` names it.' }),
  ...range,
});
export type PathQuery = Static<typeof PathQuery>;

/** One value of a dimension, such as a country. */
export const ValueQuery = Type.Object({
  root_id: rootId,
  dimension: Type.Enum([...dimensions], { description: 'What visitors have in common.' }),
  name: Type.String({ minLength: 1, description: 'The value as `dims` of `GET /stats` names it.' }),
  ...range,
});
export type ValueQuery = Static<typeof ValueQuery>;

/** All websites or one; the answer leaves this parameter out for all of them. */
export const LiveQuery = Type.Object({
  root_id: Type.Optional(
    Type.String({
      pattern: '^(?:all|0|[1-9]\\d{0,14})$',
      description: 'ID of the website; default, `0` or `all`: all websites.',
    }),
  ),
});

const counts = {
  views: Type.Integer({ description: 'How often.' }),
  visitors: Type.Integer({ description: 'Visitors; who comes on several days counts once a day.' }),
};

const Day = Type.Object(
  { day: Type.String({ description: 'Day in server time, as `YYYY-MM-DD`.' }), ...counts },
  { title: 'StatisticsDay', description: 'One day with views.' },
);

const Entry = Type.Object(
  {
    root_id: Type.Integer({ description: 'ID of the website.' }),
    name: Type.String({ description: 'Requested path, decoded, without the query.' }),
    ...counts,
  },
  { title: 'StatisticsEntry', description: 'A page or file.' },
);

const Value = Type.Object(
  {
    name: Type.String({
      description:
        'Host, name of a browser, system or device, or ISO 3166 code; `(direkt)` for no referrer, `(unbekannt)` for what cannot be told, `(andere)` for names beyond 10,000 a day.',
    }),
    visitors: counts.visitors,
  },
  { title: 'StatisticsValue', description: 'Visitors who have something in common.' },
);

const values = (about: string) =>
  Type.Array(Value, { description: `${about}, most visitors first; at most 50.` });

const days = Type.Array(Day, { description: 'Days of the range that have views, in order.' });

/** Data, Automation and Operations, "Statistics". */
export const StatisticsReport = Type.Object(
  {
    views: Type.Integer({ description: 'Views of pages in the range.' }),
    visitors: Type.Integer({ description: 'Sum of the visitors of each day.' }),
    first_day: Type.String({
      description: 'First day with data, whatever the range is; empty if there is none.',
    }),
    last_day: Type.String({ description: 'Last day with data; empty if there is none.' }),
    has_data: Type.Boolean({ description: 'Whether there is any data, whatever the range is.' }),
    days,
    pages: Type.Array(Entry, { description: 'Pages, most views first; at most 50.' }),
    dims: Type.Object(
      {
        referrer: values('Hosts that visitors came from'),
        browser: values('Browsers'),
        os: values('Operating systems'),
        device: values('Kinds of devices'),
        country: Type.Array(Value, { description: 'Countries, complete; empty without country data.' }),
      },
      { description: 'Visitors by what they have in common.' },
    ),
    downloads: Type.Array(Entry, { description: 'Files, most downloads first; at most 50.' }),
    downloads_total: Type.Integer({ description: 'All downloads in the range.' }),
  },
  {
    title: 'Statistics',
    description: 'Visits of one website, or of all.',
    examples: [
      {
        views: 3,
        visitors: 2,
        first_day: '2026-11-20',
        last_day: '2026-11-22',
        has_data: true,
        days: [{ day: '2026-11-22', views: 3, visitors: 2 }],
        pages: [{ root_id: 1, name: '/', views: 3, visitors: 2 }],
        dims: {
          referrer: [{ name: '(direkt)', visitors: 2 }],
          browser: [{ name: 'Firefox', visitors: 2 }],
          os: [{ name: 'Linux', visitors: 2 }],
          device: [{ name: 'desktop', visitors: 2 }],
          country: [],
        },
        downloads: [],
        downloads_total: 0,
      },
    ],
  },
);
export type StatisticsReport = Static<typeof StatisticsReport>;

export const PathReport = Type.Object(
  {
    path: Type.String({ description: 'The path as it was asked for.' }),
    ...counts,
    days,
    referrers: values('Hosts that visitors of this page came from'),
  },
  { title: 'PathStatistics', description: 'Visits of one page over time.' },
);
export type PathReport = Static<typeof PathReport>;

export const ValueReport = Type.Object(
  {
    dimension: Type.Enum([...dimensions], { description: 'As it was asked for.' }),
    name: Type.String({ description: 'As it was asked for.' }),
    visitors: counts.visitors,
    days: Type.Array(
      Type.Object({
        day: Type.String({ description: 'Day in server time, as `YYYY-MM-DD`.' }),
        visitors: Type.Integer({ description: 'Visitors of the day.' }),
      }),
      { description: 'Days of the range that have such visitors, in order.' },
    ),
    pages: Type.Array(
      Type.Object({
        root_id: Type.Integer({ description: 'ID of the website.' }),
        name: Type.String({ description: 'Requested path.' }),
        visitors: Type.Integer({ description: 'Visitors who came to it from the referrer.' }),
      }),
      {
        description:
          'Pages that a referrer led to, most visitors first; at most 50. Empty for other dimensions.',
      },
    ),
  },
  { title: 'ValueStatistics', description: 'Visitors who have one value in common, over time.' },
);
export type ValueReport = Static<typeof ValueReport>;

export const Live = Type.Object(
  {
    views: Type.Integer({ description: 'Views of the last 5 minutes.' }),
    visitors: Type.Integer({ description: 'Visitors of the last 5 minutes.' }),
    pages: Type.Array(
      Type.Object({
        root_id: Type.Integer({ description: 'ID of the website.' }),
        name: Type.String({ description: 'Requested path.' }),
        views: Type.Integer({ description: 'How often.' }),
      }),
      { description: 'Pages, most views first; at most 50.' },
    ),
  },
  { title: 'LiveStatistics', description: 'What is being read at the moment.' },
);
