import { adminRules } from './test/structure/admin-floors.ts';
import { serverRules } from './test/structure/server-floors.ts';

/** The import directions of the architecture: grammar <- compiler <- runtime <- server. */
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
    ...serverRules,
    {
      name: 'production-imports-production',
      comment: 'The product runs after `npm ci --omit=dev`, so it may import only `dependencies`.',
      severity: 'error',
      from: { path: `^(${[...layers, 'admin'].join('|')})/` },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    ...adminRules,
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
    exclude: { path: '(^|/)(generated|fixtures)/|^server/features/(?:demo/content|folders/starters)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
