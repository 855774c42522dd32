import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callOk } from '../support/api.ts';
import { createPage, createSite, freshName, idOf } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** The contract, "Regions": regions in batches. */

let server: TestServer;
let site: number;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
});
afterAll(() => server.stop());

const link = '{% region more type="link" %}{% endregion %}';
const regionsOf = async (id: number) => (await callOk(server, 'GET', `/pages/${id}`))['regions'];
const createTarget = () => ({
  ...{ op: 'create', kind: 'page', ref: 'target' },
  data: { parent_id: site, title: 'Target', slug: freshName('t'), published: true },
});

async function run(ops: readonly object[], query = ''): Promise<number[]> {
  const { results } = await callOk(server, 'POST', `/batch${query}`, { ops });
  return Array.isArray(results) ? results.map((result) => idOf(asRecord(result))) : [];
}

describe('@ref in a link of a region', () => {
  it('stands for a page that the batch has created', async () => {
    const page = await createPage(server, site, { html: link });
    const regions = { more: { page: '@target', text: '@target' } };
    const [target] = await run([createTarget(), { op: 'update', kind: 'page', id: page, data: { regions } }]);
    expect(await regionsOf(page)).toMatchObject({ more: { page: target, text: '@target' } });
  });

  it('stands for it in a new page, and in a change set', async () => {
    const create = {
      ...{ op: 'create', kind: 'page' },
      data: {
        ...{ parent_id: site, title: 'P', slug: freshName('p'), html: link },
        regions: { more: { page: '@target' } },
      },
    };
    const [target, page] = await run([createTarget(), create]);
    expect(await regionsOf(Number(page))).toMatchObject({ more: { page: target } });
    const set = idOf(await callOk(server, 'POST', '/change-sets', { name: freshName('r') }));
    const other = { ...create, data: { ...create.data, slug: freshName('p') } };
    const [promised, made] = await run([createTarget(), other], `?change_set=${set}`);
    await callOk(server, 'POST', `/change-sets/${set}/publish`);
    expect(await regionsOf(Number(made))).toMatchObject({ more: { page: promised } });
  });

  it('that nothing has is refused, and a text stays text', async () => {
    const page = await createPage(server, site, {
      html: `${link}{% region words type="text" %}{% endregion %}`,
    });
    const update = (regions: object) => ({ op: 'update', kind: 'page', id: page, data: { regions } });
    const body = { ops: [update({ more: { page: '@nobody' } })] };
    expect(await call(server, 'POST', '/batch', { body })).toMatchObject({
      status: 400,
      body: { code: 'batch.refUnknown' },
    });
    await run([createTarget(), update({ words: '@target' })]);
    expect(await regionsOf(page)).toEqual({ words: '@target' });
  });
});
