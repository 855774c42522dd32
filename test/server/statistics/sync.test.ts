import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Changes } from '../../../server/changes/changes.ts';
import { ContentVersion } from '../../../server/changes/content-version.ts';
import { CounterThread } from '../../../server/features/statistics/counting/thread-client.ts';
import { Countries } from '../../../server/features/statistics/countries/service.ts';
import {
  type ListAddresses,
  registries,
} from '../../../server/features/statistics/country-lists/registries.ts';
import { Staging } from '../../../server/storage/staging.ts';
import { entryFiles } from '../../support/entry-files.ts';
import { recordingLog } from '../../support/quiet-log.ts';
import { type FakeInternet, startFakeInternet } from '../outgoing/fake-internet.ts';
import { Fixture } from './fixture.ts';

/** Lists from registries: conditional requests, failures, and the schedule (Data, Automation and Operations). */

const staged = 'staging';
const list = (rir: string) => `2|${rir}|1|1|||\n${rir}|DE|ipv4|192.0.2.0|256||allocated\n`;
const registryOf = (path: string) => path.slice(1);

let fixture: Fixture;
let internet: FakeInternet;
let thread: CounterThread;
let countries: Countries;
let now: number;
/** Whether this node asks the registries by itself. */
let leads: boolean;
/** Status and body of the next answers by registry; others get their list, or 304 if they have it. */
let answers: Map<string, readonly [status: number, body: string]>;

beforeEach(async () => {
  fixture = new Fixture();
  now = new Date(2026, 2, 10, 12).getTime();
  answers = new Map();
  leads = true;
  internet = await startFakeInternet(({ path, headers }, response) => {
    const rir = registryOf(path);
    const [status, body] =
      answers.get(rir) ?? (headers['if-none-match'] === '"1"' ? [304, ''] : [200, list(rir)]);
    response.writeHead(status, { ETag: '"1"', 'Last-Modified': 'Sun, 01 Mar 2026 00:00:00 GMT' }).end(body);
  });
  const databaseFile = fixture.databases.activity.file;
  thread = new CounterThread(entryFiles.statistics, { databaseFile, saltFile: fixture.saltFile });
  const { content, activity } = fixture.databases;
  const log = recordingLog();
  const changes = new Changes({
    writer: content.writer,
    version: new ContentVersion(),
    clock: () => now,
    log,
    inspectText: () => ({
      warnings: [],
      rendersBlocks: false,
      slots: [],
      references: [],
      regions: [],
      unsafe: [],
    }),
  });
  const addresses = Object.fromEntries(
    registries.map((rir) => [rir, `http://127.0.0.1:${internet.port}/${rir}`]),
  );
  countries = await Countries.open({
    reader: content.reader,
    activity,
    changes,
    outgoing: internet.client(),
    clock: () => now,
    isLeader: () => leads,
    log,
    staging: await Staging.open(join(fixture.dataDir, staged)),
    thread,
    // Type boundary: one address for each registry.
    addresses: addresses as ListAddresses,
  });
});
afterEach(async () => {
  await countries.close();
  await thread.close();
  await internet.close();
  fixture.close();
});

const seconds = () => now / 1000;
const asked = () => internet.seen.splice(0).map(({ path }) => registryOf(path));

it('are asked for at once, then weekly at night, and only taken over when they have changed', async () => {
  await countries.checkSchedule();
  expect(asked()).toEqual([...registries]);
  const taken = { ranges: 1, updated_at: seconds(), checked_at: seconds(), error: '' };
  expect(await countries.state()).toEqual({
    enabled: true,
    running: false,
    ranges: 5,
    updated_at: seconds(),
    checked_at: seconds(),
    sources: registries.map((rir) => ({ rir, ...taken })),
  });
  expect(countries.areKnown).toBe(true);

  now = new Date(2026, 2, 17, 3).getTime();
  await countries.checkSchedule();
  expect(asked()).toEqual([]);
  now = new Date(2026, 2, 18, 3).getTime();
  await countries.checkSchedule();
  expect(
    internet.seen.map(({ headers }) => [headers['if-none-match'], headers['if-modified-since']]),
  ).toEqual(registries.map(() => ['"1"', 'Sun, 01 Mar 2026 00:00:00 GMT']));
  const { sources: states } = await countries.state();
  expect(states).toEqual(registries.map((rir) => ({ rir, ...taken, checked_at: seconds() })));
  expect(readdirSync(join(fixture.dataDir, staged))).toEqual([]);
});

it('that fail keep their last data, and are asked for in the following night', async () => {
  await countries.checkSchedule();
  asked();
  answers.set('arin', [500, '']);
  answers.set('apnic', [200, '<html>maintenance</html>']);
  answers.set('lacnic', [200, list('ripencc')]);
  now += 1000;
  await countries.update();
  await expect(countries.update()).rejects.toMatchObject({ code: 'geo.running' });
  await expect(countries.upload(async () => ({ fields: new Map(), files: [] }))).rejects.toMatchObject({
    code: 'geo.running',
  });
  await countries.idle();
  const { ranges, sources: states } = await countries.state();
  expect(ranges).toBe(5);
  expect(states.map(({ rir, error }) => [rir, error])).toEqual([
    ['afrinic', ''],
    ['apnic', 'its first line names no registry'],
    ['arin', 'the server answered 500'],
    ['lacnic', 'it is the list of ripencc'],
    ['ripencc', ''],
  ]);
  asked();
  answers.clear();
  now = new Date(2026, 2, 11, 3).getTime();
  await countries.checkSchedule();
  expect(asked()).toEqual(['apnic', 'arin', 'lacnic']);
  expect((await countries.state()).sources.map(({ error }) => error)).toEqual(['', '', '', '', '']);
});

it('are not asked for when the feature is switched off', async () => {
  await countries.setEnabled({ kind: 'none' }, false);
  // The follower of the settings does this after each commit.
  await countries.reload();
  await countries.checkSchedule();
  await expect(countries.update()).rejects.toMatchObject({ code: 'geo.disabled' });
  expect(asked()).toEqual([]);
});
