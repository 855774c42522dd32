import { readdirSync } from 'node:fs';

/** The import directions of the architecture: grammar <- compiler <- runtime <- server. */
const layers = ['grammar', 'compiler', 'runtime', 'server'];

/** Parts of the server that features are built on; every other folder of it is a feature. */
const foundations = ['db', 'http', 'kinds', 'outgoing', 'secrets', 'startup', 'generated'];
const features = readdirSync('server', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !foundations.includes(entry.name))
  .map(({ name }) => name);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...layers.map((layer, index) => ({
      name: `${layer}-knows-nothing-to-its-right`,
      comment: `${layer}/ may import only from folders to its left, so that it can be used and tested alone.`,
      severity: 'error',
      from: { path: `^${layer}/` },
      to: { path: `^(${[...layers.slice(index + 1), 'admin', 'bench', 'test'].join('|')})/` },
    })),
    {
      name: 'foundations-know-no-feature',
      comment: 'What features are built on is the same for all of them.',
      severity: 'error',
      from: { path: `^server/(${foundations.join('|')})/`, pathNot: '^server/startup/' },
      to: { path: `^server/(${features.join('|')})/` },
    },
    {
      name: 'features-meet-through-services',
      comment: 'A feature reaches another only through its service (or its types), never through its routes.',
      severity: 'error',
      from: { path: `^server/(${features.join('|')})/` },
      to: { path: `^server/(${features.join('|')})/.*routes[.]ts$`, pathNot: '^server/$1/' },
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
      name: 'only-cluster-speaks-postgresql',
      comment: 'Queries of stores run on SQLite; PostgreSQL keeps rows and order for nodes.',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/cluster/' },
      to: { path: 'node_modules/pg(-|/)' },
    },
    {
      name: 'production-imports-production',
      comment: 'The product runs after `npm ci --omit=dev`, so it may import only `dependencies`.',
      severity: 'error',
      from: { path: `^(${[...layers, 'admin'].join('|')})/` },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'admin-talks-http-only',
      comment:
        'The admin knows the server by its API alone; types of the API are generated from its description.',
      severity: 'error',
      from: { path: '^admin/src/' },
      to: { path: '^(grammar|compiler|runtime|server|bench|test|admin/build)/' },
    },
    {
      name: 'admin-without-circles',
      comment: 'Screens use parts, parts use neither screens nor each other in a circle.',
      severity: 'error',
      from: { path: '^admin/src/' },
      to: { circular: true },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: 'generated|[?]raw$' },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(generated|fixtures)/|^server/features/demo/content/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
