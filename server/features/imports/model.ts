import Type, { type Static } from 'typebox';
import { IdParams } from '../../content/common-fields.ts';
import type { ResourceKind } from './parsing/messages.ts';

/** Data, Automation and Operations, "Limits". */
export const importLimits = {
  pages: 500,
  maxPages: 5000,
  log: 3000,
  jobs: 20,
  samples: 5,
  sampleStyles: 10,
  previews: 5,
} as const;

const address = Type.String({ minLength: 1, maxLength: 4000 });

export const ScanRequest = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 4000,
      description: 'Start address; without a scheme https is assumed.',
    }),
    crawl: Type.Optional(
      Type.Boolean({ description: 'Follows all internal links. Always so if there is no sitemap.' }),
    ),
    respect_robots: Type.Optional(
      Type.Boolean({ description: 'Pages that robots.txt blocks are listed only. Default true.' }),
    ),
    max_pages: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: importLimits.maxPages,
        description: `Most pages to list; default ${importLimits.pages}.`,
      }),
    ),
  },
  {
    title: 'ImportScan',
    description: 'A website to look at.',
    examples: [{ url: 'https://example.org', crawl: false }],
  },
);
export type ScanRequest = Static<typeof ScanRequest>;

const flags = {
  overwrite_modified: Type.Optional(
    Type.Boolean({ description: 'Also overwrites pages, CSS and JS that were edited here. Default false.' }),
  ),
  force: Type.Optional(
    Type.Boolean({ description: 'Also rewrites pages whose source has not changed. Default false.' }),
  ),
};

export const RunRequest = Type.Object(
  {
    base: Type.String({ minLength: 1, maxLength: 4000, description: '`base` of the scan.' }),
    urls: Type.Array(address, {
      minItems: 1,
      maxItems: importLimits.maxPages,
      description: 'Addresses of the pages to import.',
    }),
    target_page_id: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Page that the home page of the original becomes.' }),
    ),
    new_site: Type.Optional(
      Type.Object(
        {
          title: Type.String({ description: 'Title of the new website.' }),
          domains: Type.Optional(Type.String({ description: 'Its domains, one per line.' })),
        },
        { description: 'In place of `target_page_id`: a website to create.' },
      ),
    ),
    overwrite: Type.Optional(
      Type.Boolean({ description: 'Overwrites pages that exist and were not edited here. Default false.' }),
    ),
    publish: Type.Optional(Type.Boolean({ description: 'Publishes new pages. Default false.' })),
    download_hosts: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
        maxItems: 500,
        description: 'Other hosts whose files are taken over.',
      }),
    ),
    ...flags,
  },
  {
    title: 'ImportRun',
    description: 'A website, or a part of it, to import.',
    examples: [
      {
        base: 'https://example.org/',
        urls: ['https://example.org/', 'https://example.org/visit'],
        new_site: { title: 'Museum', domains: 'museum.example' },
        publish: true,
      },
    ],
  },
);
export type RunRequest = Static<typeof RunRequest>;

export const ReimportRequest = Type.Object(flags, {
  title: 'PageReimport',
  description: 'How an imported page is imported again.',
  examples: [{ force: true }],
});
export type ReimportRequest = Static<typeof ReimportRequest>;

export const PageParams = IdParams;
export const JobParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 100, description: 'ID of the job.' }),
});
export const JobQuery = Type.Object({
  log_since: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Leaves out the log entries before this index.' }),
  ),
});

const variables = Type.Record(Type.String(), Type.Unknown());

const LogEntry = Type.Object(
  {
    time: Type.Integer({ description: 'Unix seconds.' }),
    level: Type.Enum(['info', 'warn', 'error'], { description: 'How bad it is.' }),
    message: Type.String({ description: 'English text.' }),
    url: Type.Optional(Type.String({ description: 'What it is about.' })),
    code: Type.Optional(Type.String({ description: 'Code of the message.' })),
    params: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({ ...variables, description: 'Variable parts of the message.' }),
    ),
  },
  { title: 'ImportLogEntry', description: 'An entry of the log of a job.' },
);
export type LogEntry = Static<typeof LogEntry>;

export const hostCategories = ['site', 'builder', 'fonts', 'cdn', 'service', 'other'] as const;
export type HostCategory = (typeof hostCategories)[number];

const kindCount = Type.Optional(Type.Integer({ description: 'Number of files.' }));
const HostKinds = Type.Object(
  { css: kindCount, js: kindCount, img: kindCount, font: kindCount, file: kindCount } satisfies Record<
    ResourceKind,
    unknown
  >,
  { description: 'Number of files by kind.' },
);

const ScanResult = Type.Object(
  {
    base: Type.String({ description: 'Address of the website.' }),
    sitemaps: Type.Array(Type.String(), { description: 'Sitemaps that were read.' }),
    pages: Type.Array(
      Type.Object({
        url: Type.String({ description: 'Address of the page.' }),
        path: Type.String({ description: 'Path that it would have here, below the target page.' }),
        title: Type.String({ description: 'Its title, if it was looked at.' }),
        source: Type.Enum(['start', 'sitemap', 'link'], { description: 'Where it was found.' }),
        excluded: Type.Optional(Type.Literal('robots', { description: 'robots.txt blocks it.' })),
      }),
      { description: 'Pages that were found.' },
    ),
    hosts: Type.Array(
      Type.Object({
        host: Type.String({ description: 'The host, with a port that is not the default.' }),
        category: Type.Enum(hostCategories, { description: 'What it is.' }),
        label: Type.String({ description: 'English name.' }),
        count: Type.Integer({ description: 'Number of files.' }),
        kinds: HostKinds,
        suggested: Type.Boolean({ description: 'Whether its files should be taken over.' }),
      }),
      { description: 'Hosts that the website loads files from.' },
    ),
    js_rendered: Type.Boolean({ description: 'Whether its pages are made in the browser only.' }),
  },
  { title: 'ImportScanResult', description: 'What a scan has found.' },
);
export type ScanResult = Static<typeof ScanResult>;

export const pageActions = [
  'created',
  'updated',
  'unchanged',
  'modified',
  'foreign',
  'skipped',
  'failed',
] as const;
export type PageAction = (typeof pageActions)[number];

const counter = (description: string) => Type.Integer({ description });
const RunResult = Type.Object(
  {
    target_page_id: Type.Integer({ description: 'Page that the home page of the original has become.' }),
    created: counter('New pages.'),
    updated: counter('Overwritten pages.'),
    unchanged: counter('Pages whose source has not changed.'),
    modified: counter('Pages that were edited here and are kept.'),
    foreign: counter('Pages whose path belongs to the import of another website.'),
    skipped: counter('Pages that exist and were not to be overwritten, and redirects.'),
    failed: counter('Pages that could not be loaded or read.'),
    placeholders: counter('Drafts that were made for missing levels.'),
    files: counter('New files.'),
    files_updated: counter('Files with a new content.'),
    files_reused: counter('Files that have not changed.'),
    assets: counter('New CSS and JS assets.'),
    assets_updated: counter('Assets with a new content.'),
    assets_reused: counter('Assets that have not changed.'),
    assets_kept: counter('Assets that have changed, but were edited here.'),
    shared_css: counter('Style sheets of the target page that its subpages inherit.'),
    shared_js: counter('Scripts of the target page that its subpages inherit.'),
    pages: Type.Array(
      Type.Object({
        id: Type.Integer({ description: 'ID of the page; 0 = there is none.' }),
        path: Type.String({ description: 'Path of the page; empty if there is none.' }),
        source: Type.String({ description: 'Address of the original.' }),
        action: Type.Enum(pageActions, { description: 'What was done.' }),
      }),
      { description: 'What was done with each page.' },
    ),
  },
  { title: 'ImportRunResult', description: 'What an import has done.' },
);
export type RunResult = Static<typeof RunResult>;

const jobFields = {
  id: Type.String({ description: 'ID of the job.' }),
  kind: Type.Enum(['scan', 'import'], { description: 'What it does.' }),
  url: Type.String({ description: 'Address of the website.' }),
  status: Type.Enum(['running', 'done', 'failed', 'cancelled'], { description: 'How far it is.' }),
  phase: Type.String({ description: 'The current step.' }),
  phase_code: Type.String({ description: 'Code of the step; may be empty at the end.' }),
  done: Type.Integer({ description: 'Pages that the current step has done.' }),
  total: Type.Integer({ description: 'Pages that the current step has in all.' }),
  files: Type.Integer({ description: 'Files taken over so far.' }),
  assets: Type.Integer({ description: 'CSS and JS files taken over so far.' }),
  error: Type.String({ description: 'Why it failed; empty if it did not.' }),
  error_code: Type.String({ description: 'Code of the error.' }),
  error_params: Type.Unsafe<Record<string, unknown>>({
    ...variables,
    description: 'Variable parts of the error.',
  }),
  started_at: Type.Integer({ description: 'Unix seconds.' }),
  finished_at: Type.Integer({ description: 'Unix seconds; 0 while it runs.' }),
};

export const JobSummary = Type.Object(jobFields, {
  title: 'ImportJobSummary',
  description: 'A scan or an import, without log and result.',
});
export type JobSummary = Static<typeof JobSummary>;

export const Job = Type.Object(
  {
    ...jobFields,
    log: Type.Array(LogEntry, { description: 'Oldest first.' }),
    result: Type.Optional(Type.Union([ScanResult, RunResult], { description: 'Once it is done.' })),
  },
  { title: 'ImportJob', description: 'A scan or an import.' },
);
export type Job = Static<typeof Job>;

export const Suggestion = Type.Object(
  {
    id: Type.String({ description: 'The same for the same proposal.' }),
    kind: Type.Enum(['layout', 'snippet'], { description: 'What it would be.' }),
    name: Type.String({ description: 'Proposed name.' }),
    pages: Type.Array(Type.Integer(), { description: 'IDs of pages that it was found on.' }),
    html: Type.String({ description: 'The shared part, as a template.' }),
    parameters: Type.Array(Type.String({ description: 'A name.' }), {
      description: 'Names of what differs.',
    }),
  },
  { title: 'ImportSuggestion', description: 'A layout or snippet for what imported pages have in common.' },
);

export const SuggestionsApply = Type.Object(
  {
    suggestions: Type.Array(Type.String({ maxLength: 100 }), {
      minItems: 1,
      maxItems: 20,
      description: 'IDs of the suggestions to apply.',
    }),
    names: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        ...Type.Record(Type.String(), Type.String()),
        description: 'Names of the snippets by ID of the suggestion; default: the proposed ones.',
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({ description: 'Changes nothing and says what would happen. Default false.' }),
    ),
  },
  {
    title: 'ImportSuggestionsApply',
    description: 'Suggestions to apply.',
    examples: [{ suggestions: ['0f1e2d3c4b5a'], names: { '0f1e2d3c4b5a': 'layout/base' } }],
  },
);
export type SuggestionsApply = Static<typeof SuggestionsApply>;

export const ApplyResult = Type.Object(
  {
    snippets: Type.Array(
      Type.Object({
        id: Type.Integer({ description: 'ID of the snippet; 0 for a dry run.' }),
        name: Type.String({ description: 'Its name.' }),
      }),
      { description: 'New snippets.' },
    ),
    pages: Type.Array(Type.Integer(), { description: 'IDs of the pages that use them now.' }),
    skipped: Type.Array(
      Type.Object({
        id: Type.Integer({ description: 'ID of the page.' }),
        reason: Type.String({ description: 'Why it is as it was.' }),
      }),
      { description: 'Pages that would have changed.' },
    ),
    templates: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.Integer({ description: 'ID of the page.' }),
          before: Type.String({ description: 'Its template as it is.' }),
          after: Type.String({ description: 'Its template as it would be.' }),
        }),
        { description: `Of a dry run: templates of the first ${importLimits.previews} pages.` },
      ),
    ),
  },
  { title: 'ImportSuggestionsResult', description: 'What applying suggestions has done.' },
);
export type ApplyResult = Static<typeof ApplyResult>;
