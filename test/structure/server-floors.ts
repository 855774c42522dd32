import type { IForbiddenRuleType } from 'dependency-cruiser';

/**
 * The floors of server/, lowest first, with the floors below that each may import. A path names a part of a floor: only
 * files of that part may be imported. The rules of dependency-cruiser are made from this table.
 */
export const floors: readonly { readonly name: string; readonly mayImport: readonly string[] }[] = [
  { name: 'base', mayImport: [] },
  { name: 'config', mayImport: ['base'] },
  { name: 'db', mayImport: ['base'] },
  { name: 'http', mayImport: ['config/outgoing-rules.ts', 'base'] },
  { name: 'storage', mayImport: ['http/outgoing', 'db', 'base'] },
  { name: 'processes', mayImport: ['base'] },
  { name: 'changes', mayImport: ['processes', 'db', 'base'] },
  { name: 'cluster', mayImport: ['changes', 'db', 'config', 'base'] },
  { name: 'api', mayImport: ['http', 'base'] },
  { name: 'content', mayImport: ['api', 'changes', 'http', 'db', 'base'] },
  {
    name: 'delivery',
    mayImport: ['feature.ts', 'content', 'api', 'changes', 'processes', 'http', 'config', 'base'],
  },
  {
    name: 'features',
    mayImport: [
      ...['feature.ts', 'delivery', 'content', 'api', 'cluster', 'changes', 'processes', 'storage', 'http'],
      ...['db', 'config', 'base'],
    ],
  },
  { name: 'program', mayImport: ['features/folders', 'content', 'http', 'config', 'base'] },
];

/** The features in eight levels: each may import those of earlier levels. */
export const featureLevels: readonly (readonly string[])[] = [
  ['roles'],
  [
    ...['assets', 'auth', 'cleanup', 'extdb', 'feed', 'global-blocks', 'mail', 'markdown', 'notfound'],
    ...['presence', 'reviews', 'revisions', 'snippets', 'storage', 'trash', 'usage'],
  ],
  ['audit', 'batch', 'failing-pages', 'media', 'metrics', 'redirects', 'statistics'],
  ['backup', 'bundle', 'change-sets', 'export', 'pages'],
  ['collections', 'connections', 'imports', 'pens', 'security'],
  ['admin', 'schema', 'search', 'sources', 'system', 'workflows'],
  ['folders', 'webhooks'],
  ['demo'],
];

const anyOf = (paths: readonly string[]) =>
  `^server/(${paths.map((path) => path.replaceAll('.', '[.]')).join('|')})(/|$)`;

/** Rules of dependency-cruiser for server/. */
export const serverRules: readonly IForbiddenRuleType[] = [
  ...floors.map(
    ({ name, mayImport }): IForbiddenRuleType => ({
      name: `floor-${name}`,
      comment: `server/${name} imports from ${mayImport.join(', ') || 'no other part of server/'}: floors only look down.`,
      severity: 'error',
      from: { path: `^server/${name}/` },
      to: { path: '^server/', pathNot: anyOf([name, 'generated', ...mayImport]) },
    }),
  ),
  {
    name: 'feature-type',
    comment: 'server/feature.ts says what a feature is, so it knows the floors below and no feature.',
    severity: 'error',
    from: { path: '^server/feature[.]ts$' },
    to: {
      path: '^server/',
      pathNot: anyOf(['content', 'api', 'changes', 'processes', 'http', 'db', 'config', 'base']),
    },
  },
  ...featureLevels.map(
    (level, index): IForbiddenRuleType => ({
      name: `features-of-level-${index + 1}`,
      comment: 'A feature may need features of earlier levels only, see featureLevels.',
      severity: 'error',
      from: { path: `^server/features/(${level.join('|')})/` },
      to: {
        path: '^server/features/',
        pathNot: [
          '^server/features/$1/',
          `^server/features/(${featureLevels.slice(0, index).flat().join('|') || '-'})/`,
        ],
      },
    }),
  ),
  {
    name: 'features-meet-through-services',
    comment: 'A feature reaches another only through its value, service or types, never through its routes.',
    severity: 'error',
    from: { path: '^server/features/([^/]+)/' },
    to: { path: '^server/features/.*routes[.]ts$', pathNot: '^server/features/$1/' },
  },
  {
    name: 'only-exchange-speaks-uwebsockets',
    comment:
      'Its request and response objects are valid for a moment only; http/exchange/uws/ and threads/ know the rules.',
    severity: 'error',
    from: { path: '^server/', pathNot: '^server/http/exchange/(uws|threads)/' },
    to: { path: 'uWebSockets|uws-pack' },
  },
  {
    name: 'only-one-file-finds-llhttp',
    comment:
      'Where undici keeps it is no promise of undici; http/exchange/node/llhttp.ts knows, and its tests tell.',
    severity: 'error',
    from: { path: '^server/', pathNot: '^server/http/exchange/node/llhttp[.]ts$' },
    to: { path: 'node_modules/undici/lib/' },
  },
  {
    name: 'only-cluster-speaks-postgresql',
    comment: 'Queries of stores run on SQLite; PostgreSQL keeps rows and order for nodes.',
    severity: 'error',
    from: { path: '^server/', pathNot: '^server/cluster/' },
    to: { path: 'node_modules/pg(-|/)' },
  },
];
