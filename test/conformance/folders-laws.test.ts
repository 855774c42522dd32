import { afterAll, describe, expect, it } from 'vitest';
import { starters } from '../../server/features/folders/starters.ts';
import { callList } from '../support/api.ts';
import { TestFolder } from '../support/folders.ts';
import { runProgram } from '../support/program.ts';
import { fillWebsite } from '../support/random-website.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** The contract, "Format 1": the two laws, over random websites of all kinds and over the demo. */

const servers: TestServer[] = [];
const folders: TestFolder[] = [];
afterAll(async () => {
  for (const server of servers) await server.stop();
  for (const folder of folders) folder.remove();
});

async function start(args: readonly string[] = []): Promise<TestServer> {
  const server = await startServer({ args });
  servers.push(server);
  return server;
}

function newFolder(): TestFolder {
  const folder = new TestFolder();
  folders.push(folder);
  return folder;
}

/** Both laws for the content of a server. Returns the files of a pull. */
async function expectLaws(source: TestServer): Promise<Record<string, string>> {
  const folder = newFolder();
  expect(await folder.pull(source)).toMatchObject({ findings: [], exitCode: 0, conflicts: [] });
  // Push of a pull changes nothing, also without what the folder remembers.
  expect(await folder.push(source)).toMatchObject({
    findings: [],
    exitCode: 0,
    changes: [],
    changeSet: null,
  });
  folder.write({ '.incipit': undefined });
  expect(await folder.push(source)).toMatchObject({
    findings: [],
    exitCode: 0,
    changes: [],
    changeSet: null,
  });
  // Pull of a push gives the same bytes.
  const target = await start();
  expect(await folder.push(target)).toMatchObject({ findings: [], exitCode: 0, conflicts: [] });
  const copy = newFolder();
  expect(await copy.pull(target)).toMatchObject({ findings: [], exitCode: 0 });
  expect(copy.files()).toEqual(folder.files());
  expect(await folder.push(target)).toMatchObject({
    findings: [],
    exitCode: 0,
    changes: [],
    changeSet: null,
  });
  expect(await folder.pull(target)).toMatchObject({ findings: [], exitCode: 0, changes: [] });
  expect(copy.files()).toEqual(folder.files());
  return folder.files();
}

describe('a website as a folder', () => {
  it.each([1, 2, 3, 4])('survives push and pull, random website %i', async (seed) => {
    const source = await start();
    await fillWebsite(source, seed);
    await expectLaws(source);
  });

  it('survives push and pull, the demo', async () => {
    const source = await start(['-demo']);
    await expect.poll(() => callList(source, '/workflows'), { timeout: 60_000 }).not.toEqual([]);
    await expectLaws(source);
  });

  it.each(starters)('survives push and pull, the starter $name', async ({ name }) => {
    const folder = newFolder();
    expect(await runProgram(['init', folder.path, '--starter', name])).toMatchObject({ code: 0 });
    expect(await runProgram(['check', folder.path])).toEqual({ code: 0, stdout: '', stderr: '' });
    const files = folder.files();
    expect(await runProgram(['check', folder.path, '--fix'])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(folder.files()).toEqual(files);
    const source = await start();
    expect(await folder.push(source)).toMatchObject({ findings: [], conflicts: [], exitCode: 0 });
    expect(await expectLaws(source)).toEqual(files);
  });
});
