import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SyncOutcome } from '../../server/features/folders/sync/model.ts';
import { callList, callOk } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { TestFolder } from '../support/folders.ts';
import { createRandom } from '../support/random-website.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';

/** The contract, "The program": never a lost edit on either side, whenever a pull or push is killed. */

const rounds = 14;
const program = fileURLToPath(new URL('../support/folder-command.ts', import.meta.url));

let server: TestServer;
const folder = new TestFolder();
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  folder.remove();
  await server.stop();
});

/** Runs a command, and kills it after some milliseconds unless it has ended. */
async function runKilled(command: 'pull' | 'push', afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [program, command, folder.path, server.url, masterToken], {
    stdio: 'ignore',
  });
  const killer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  await once(child, 'exit');
  clearTimeout(killer);
}

const slugs = ['a', 'b', 'c'];
const fileOf = (slug: string) => `pages/${slug}/index.html`;

/** Puts a line into a text at a random place after the front matter. */
function withLine(text: string, line: string, random: () => number): string {
  const lines = text.split('\n');
  const first = lines.lastIndexOf('---') + 1;
  lines.splice(first + Math.floor(random() * (lines.length - first)), 0, line);
  return lines.join('\n');
}

async function findPage(slug: string): Promise<Record<string, unknown>> {
  const found = (await callList(server, '/pages')).find((page) => page['path'] === `/${slug}`);
  return callOk(server, 'GET', `/pages/${found?.['id']}`);
}

describe('edits on both sides', () => {
  it('are in the result or in a listed conflict, although commands are killed', async () => {
    const random = createRandom(7);
    const site = await createSite(server);
    for (const slug of slugs)
      await createPage(server, site, {
        slug,
        html: Array.from({ length: 9 }, (_, index) => `line ${index}\n`).join(''),
      });
    expect(await folder.pull(server)).toMatchObject({ exitCode: 0 });
    const edits: { readonly mark: string; readonly slug: string }[] = [];
    const told: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const slug = slugs[Math.floor(random() * slugs.length)] ?? 'a';
      const mark = `edit ${round}.`;
      edits.push({ mark, slug });
      if (random() < 0.5) folder.write({ [fileOf(slug)]: withLine(folder.read(fileOf(slug)), mark, random) });
      else {
        const page = await findPage(slug);
        await callOk(server, 'PUT', `/pages/${page['id']}`, {
          html: withLine(String(page['html']), mark, random),
        });
      }
      const choice = random();
      if (choice < 0.3) await runKilled(choice < 0.15 ? 'pull' : 'push', 150 + random() * 900);
      else if (choice < 0.8) {
        const outcome: SyncOutcome = await (choice < 0.55 ? folder.pull(server) : folder.push(server));
        told.push(JSON.stringify(outcome.conflicts));
      }
    }
    for (const outcome of [await folder.pull(server), await folder.push(server), await folder.pull(server)])
      told.push(JSON.stringify(outcome.conflicts));
    const last = told.at(-1) ?? '';
    for (const { mark, slug } of edits) {
      const here = folder.read(fileOf(slug)).includes(mark);
      const there = String((await findPage(slug))['html']).includes(mark);
      // A conflict of one page holds back what is to be sent of the others; it stays where it was made.
      const isKept = last === '[]' ? here && there : here || there || last.includes(mark);
      expect({ mark, isKept }).toEqual({ mark, isKept: true });
    }
    expect(await callList(server, '/change-sets?state=open')).toEqual([]);
  });
});

describe('a push that was killed when it had published', () => {
  it('is found by the next run, so nothing is sent twice', async () => {
    const other = new TestFolder();
    try {
      await other.pull(server);
      other.write({ 'pages/killed/index.html': '---\ntitle: Killed\n---\nx' });
      // The server has published, and the program dies before it notes the base.
      const base = other.read(`.incipit/${new URL(server.url).host.replace(':', '_')}/base.json`);
      expect(await other.push(server)).toMatchObject({ exitCode: 0 });
      const after = other.read(`.incipit/${new URL(server.url).host.replace(':', '_')}/base.json`);
      const [set] = await callList(server, '/change-sets?purpose=push');
      const state = `.incipit/${new URL(server.url).host.replace(':', '_')}`;
      other.write({
        [`${state}/base.json`]: base,
        [`${state}/push.json`]: JSON.stringify({ changeSet: set?.['id'], base: JSON.parse(after) }),
      });
      expect(await other.push(server)).toMatchObject({ exitCode: 0, changes: [], changeSet: null });
      expect(other.read(`${state}/base.json`)).toBe(after);
    } finally {
      other.remove();
    }
  });
});
