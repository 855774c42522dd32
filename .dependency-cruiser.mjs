/** The import directions of the architecture: grammar <- compiler <- runtime <- server. */
const features = 'auth|pages|assets|snippets|revisions|redirects|notfound|system|cache';
const layers = ['grammar', 'compiler', 'runtime', 'server'];

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
      name: 'no-cycles',
      comment: 'Two modules that need each other are one module, or hide a third.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'only-exchange-speaks-uwebsockets',
      comment:
        'Its request and response objects are valid for a moment only; http/exchange/ is the place that knows the rules.',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/http/exchange/' },
      to: { path: 'uWebSockets|uws-pack' },
    },
    {
      name: 'features-meet-through-services',
      comment: 'A feature reaches another only through its service (or its types).',
      severity: 'error',
      from: { path: `^server/(${features})/` },
      to: {
        path: `^server/(${features})/(store|routes)[.]ts$`,
        pathNot: '^server/$1/',
      },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: 'generated' },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(generated|fixtures)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.mjs'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
