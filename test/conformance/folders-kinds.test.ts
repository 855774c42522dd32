import { afterAll, beforeAll, expect, it } from 'vitest';
import { folderKinds } from '../../server/features/folders/format/content.ts';
import { kindFormats } from '../../server/features/folders/format/index.ts';
import { asRecord, callOk } from '../support/api.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** The contract, "Format 1": what a bundle keeps of a website survives in a folder. */

/** What the rows of each table of a bundle are in a folder; undefined for what stays on the server. */
const kindsByTable: Readonly<Record<string, string | undefined>> = {
  ...{ assets: 'asset', collections: 'collection', files: 'file', flow_nodes: 'flow_node' },
  ...{ global_blocks: 'global_block', items: 'item', pages: 'page', pens: 'pen', redirects: 'redirect' },
  ...{ snippets: 'snippet', sources: 'source', workflows: 'workflow' },
  ...{ page_assets: 'page', site_domains: 'page', snippet_assets: 'snippet', folders: 'file' },
  ...{ import_hosts: undefined, imported_assets: undefined, imported_files: undefined },
  imported_pages: undefined,
};

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

it('every kind of a bundle has a format in folders', async () => {
  const { counts } = await callOk(server, 'GET', '/bundle/info');
  expect(Object.keys(asRecord(counts)).toSorted()).toEqual(Object.keys(kindsByTable).toSorted());
  const kinds = new Set(Object.values(kindsByTable).filter((kind) => kind !== undefined));
  expect([...folderKinds].toSorted()).toEqual([...kinds].toSorted());
  for (const kind of folderKinds) expect(kindFormats[kind].kind).toBe(kind);
});
