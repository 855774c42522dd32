import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { blockTrees, type TreeTargets, withTargets } from '../support/block-trees.ts';
import { createBlockTypes } from '../support/block-types.ts';
import { createGlobalBlock, createPage, createSite } from '../support/content.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { setUp } from '../support/session.ts';

/** Properties of block trees, whatever the tree. */

let server: TestServer;
let session: string;
let page: number;
let targets: TreeTargets;

beforeAll(async () => {
  server = await startServer();
  session = await setUp(server);
  const { entry } = await createBlockTypes(server);
  const blocks = [{ id: 'g', type: 'heading', params: { text: 'Global' } }];
  targets = { entry, global: await createGlobalBlock(server, { name: 'g', blocks }) };
  const html = '<main>{% blocks page.blocks %}</main>';
  page = await createPage(server, await createSite(server), { slug: 'p', html, published: true });
});
afterAll(() => server.stop());

const runs = { numRuns: 60, seed: 20_261_122 };

async function visit(path: string, headers: Record<string, string> = {}): Promise<string> {
  const html = await (await fetch(server.url + path, { headers })).text();
  return /<main>([\s\S]*)<\/main>/.exec(html)?.[1] ?? html;
}

it('a valid tree is the same after a save, a read, a save of what was read, and a restore', async () => {
  await fc.assert(
    fc.asyncProperty(blockTrees, async (tree) => {
      const saved = await callOk(server, 'PUT', `/pages/${page}`, { blocks: withTargets(tree, targets) });
      const read = await callOk(server, 'GET', `/pages/${page}`);
      expect(read['blocks']).toEqual(saved['blocks']);
      const again = await callOk(server, 'PUT', `/pages/${page}`, { blocks: read['blocks'] });
      expect([again['blocks'], again['updated_at']]).toEqual([read['blocks'], read['updated_at']]);
      const validated = await callOk(server, 'POST', '/blocks/validate', {
        blocks: read['blocks'],
        place: { kind: 'page' },
      });
      expect(validated).toEqual({ blocks: read['blocks'], warnings: [] });
    }),
    runs,
  );
  const [version] = await callList(server, `/revisions?kind=page&id=${page}`);
  const { data } = await callOk(server, 'GET', `/revisions/${version?.['id']}`);
  const restored = await callOk(server, 'POST', `/revisions/${version?.['id']}/restore`);
  expect(restored['blocks']).toEqual(asRecord(data)['blocks']);
});

it('a page differs with and without marks in the marks only', async () => {
  await fc.assert(
    fc.asyncProperty(blockTrees, async (tree) => {
      await callOk(server, 'PUT', `/pages/${page}`, { blocks: withTargets(tree, targets) });
      const live = await visit('/p');
      const marked = await visit('/p?preview=1', { Cookie: `ic_session=${session}` });
      expect(live).not.toMatch(/data-ic-field="page|<!--ic-blocks:/);
      expect(marked).toContain('<!--ic-blocks:page.blocks-->');
      // What a text itself contains of this form is changed, so that nobody takes it for a mark.
      const harmless = live
        .replaceAll('<!--ic-', '<!-- ic-')
        .replaceAll('data-ic-field=', 'data-x-ic-field=')
        .replace(/[\x80\x81\x9f\u{F0000}\u{F0101}]/gu, '');
      expect(marked.replace(/<!--\/?ic-(?:blocks?|slot):[^>]*-->| data-ic-field="[^"]*"/g, '')).toBe(
        harmless,
      );
    }),
    runs,
  );
});

it('no tree makes the server fail, and none that is refused is stored', async () => {
  const anything = fc
    .anything({ maxDepth: 3, withNullPrototype: false })
    .map((value) => JSON.parse(JSON.stringify(value) ?? 'null'));
  const almost = fc.array(
    fc.record(
      {
        id: anything,
        type: fc.oneof(
          fc.constantFrom('heading', 'every', 'columns', 'list', 'plain', '__proto__'),
          anything,
        ),
        params: fc.oneof(
          fc.dictionary(fc.constantFrom('text', 'number', 'image', '__proto__'), anything),
          anything,
        ),
        slots: fc.oneof(
          fc.dictionary(fc.constantFrom('left', 'default', 'constructor'), fc.array(anything)),
          anything,
        ),
        global: fc.oneof(fc.constant(undefined), anything),
        overrides: anything,
      },
      { requiredKeys: [] },
    ),
    { maxLength: 3 },
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(anything, almost), async (tree) => {
      const before = await callOk(server, 'GET', `/pages/${page}`);
      const answer = await call(server, 'PUT', `/pages/${page}`, { body: { blocks: tree } });
      expect([200, 400]).toContain(answer.status);
      const after = await callOk(server, 'GET', `/pages/${page}`);
      if (answer.status === 400) {
        expect(String(asRecord(answer.body)['code'])).toMatch(/^block\./);
        expect(after).toEqual(before);
      }
      const preview = await fetch(`${server.url}/api/v1/pages/${page}/preview`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ blocks: tree }),
      });
      expect(preview.status).toBe(200);
    }),
    runs,
  );
  expect(Reflect.get({}, 'x')).toBeUndefined();
});
