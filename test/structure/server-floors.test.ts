import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBrokenRules } from './planted.ts';
import { featureLevels, floors, serverRules } from './server-floors.ts';

const server = join(import.meta.dirname, '..', '..', 'server');

describe('the rules of the floors of server/', () => {
  it('know every floor and every feature', () => {
    const folders = (path: string) =>
      readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !['docs', 'generated'].includes(entry.name))
        .map(({ name }) => name);
    expect(floors.map(({ name }) => name).sort()).toEqual(folders(server).sort());
    expect(featureLevels.flat().sort()).toEqual(folders(join(server, 'features')).sort());
  });

  it.each([
    ['server/base/a.ts', 'server/http/b.ts', 'floor-base'],
    ['server/config/a.ts', 'server/db/b.ts', 'floor-config'],
    ['server/db/a.ts', 'server/http/b.ts', 'floor-db'],
    ['server/http/a.ts', 'server/config/options.ts', 'floor-http'],
    ['server/storage/a.ts', 'server/http/json/b.ts', 'floor-storage'],
    ['server/processes/a.ts', 'server/db/b.ts', 'floor-processes'],
    ['server/changes/a.ts', 'server/cluster/b.ts', 'floor-changes'],
    ['server/cluster/a.ts', 'server/api/b.ts', 'floor-cluster'],
    ['server/api/a.ts', 'server/changes/content-version.ts', 'floor-api'],
    ['server/content/a.ts', 'server/feature.ts', 'floor-content'],
    ['server/delivery/a.ts', 'server/features/pages/b.ts', 'floor-delivery'],
    ['server/features/pages/a.ts', 'server/features.ts', 'floor-features'],
    ['server/feature.ts', 'server/features/pages/b.ts', 'feature-type'],
    ['server/features/assets/a.ts', 'server/features/pages/b.ts', 'features-of-level-2'],
    ['server/features/redirects/a.ts', 'server/features/audit/b.ts', 'features-of-level-3'],
    ['server/features/pages/a.ts', 'server/features/media/routes.ts', 'features-meet-through-services'],
    ['server/features/mail/a.ts', 'node_modules/pg/index.js', 'only-cluster-speaks-postgresql'],
    ['server/http/a.ts', 'node_modules/uWebSockets.js/index.js', 'only-exchange-speaks-uwebsockets'],
    [
      'server/http/exchange/node/node-connection.ts',
      'node_modules/undici/lib/llhttp/llhttp-wasm.js',
      'only-one-file-finds-llhttp',
    ],
  ])('refuse that %s imports %s', async (from, to, rule) => {
    expect(await findBrokenRules(serverRules, from, to)).toEqual([rule]);
  });

  it.each([
    ['server/app.ts', 'server/features/pages/b.ts'],
    ['server/features/pages/a.ts', 'server/features/media/service.ts'],
    ['server/features/pages/routes.ts', 'server/features/pages/read/routes.ts'],
    ['server/http/a.ts', 'server/config/outgoing-rules.ts'],
    ['server/api/a.ts', 'server/http/responses/b.ts'],
    ['server/cluster/a.ts', 'node_modules/pg/index.js'],
  ])('allow that %s imports %s', async (from, to) => {
    expect(await findBrokenRules(serverRules, from, to)).toEqual([]);
  });
});
