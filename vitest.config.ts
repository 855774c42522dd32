import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { postgresFolder } from './test/support/postgres.ts';

/**
 * Tests of the API that run a second time with each server as a node of several: those of writes, their order and what
 * visits leave behind. `npm run test:postgres` runs all.
 */
const onNodes = [
  'auth-lockout',
  'batch',
  'concurrency',
  'conflicts',
  'entry-sequences',
  'geo',
  'import-run',
  'notfound',
  'redirects-csv',
  'revisions',
  'statistics',
  'webhooks',
];

/** Not where all tests of the API run on nodes already. */
const runsOnNodes = postgresFolder !== undefined && process.env['IC_TEST_POSTGRES'] === undefined;

const nodes = {
  test: {
    name: 'nodes',
    include: onNodes.map((name) => `test/conformance/${name}.test.ts`),
    setupFiles: ['test/support/seed.ts', 'test/support/nodes-project/use.ts'],
    globalSetup: ['test/support/nodes-project/start.ts'],
  },
};

const project = (name: string, include: string) => ({
  test: { name, include: [include], setupFiles: ['test/support/seed.ts'] },
});

const browser = {
  test: {
    ...project('browser', 'test/browser/**/*.test.ts').test,
    globalSetup: ['test/support/browser-project/start.ts'],
  },
};

const cores = availableParallelism();

/**
 * These tests mostly wait, such as for the end of a lease. So more of their files run at the same time, apart from all
 * others.
 */
const faults = {
  test: {
    ...project('faults', 'test/faults/**/*.test.ts').test,
    maxWorkers: 2 * cores,
    sequence: { groupOrder: 1 },
  },
};

export default defineConfig({
  test: {
    // Files of a project share a process, one after the other: starting one for each took a quarter of the time.
    isolate: false,
    // Limits end what hangs; they do not judge speed. On a machine that other work keeps busy, a start takes ten times
    // as long as on a quiet one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    // In the automatic run a test that fails gets a second try, which the report names. Elsewhere it fails at once.
    retry: process.env['CI'] === undefined ? 0 : 1,
    // A test mostly waits for a server in a process of its own, or for a time, so that one more runs than there are cores.
    maxWorkers: cores + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      project('structure', 'test/structure/**/*.test.ts'),
      project('grammar', 'test/grammar/**/*.test.ts'),
      project('compiler', 'test/compiler/**/*.test.ts'),
      project('runtime', 'test/runtime/**/*.test.ts'),
      project('django', 'test/django/**/*.test.ts'),
      project('server', 'test/server/**/*.test.ts'),
      project('conformance', 'test/conformance/**/*.test.ts'),
      project('admin', 'test/admin/**/*.test.ts'),
      browser,
      faults,
      project('upgrades', 'test/upgrades/**/*.test.ts'),
      ...(runsOnNodes ? [nodes] : []),
    ],
  },
});
