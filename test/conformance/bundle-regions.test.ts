import { afterAll, beforeAll, expect, it } from 'vitest';
import { asRecord, callList, callOk } from '../support/api.ts';
import { download, importBundle } from '../support/bundles.ts';
import { createCollection, createItem, createPage, createSite } from '../support/content.ts';
import { draw, uploadOne } from '../support/media.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** The words of pages in bundles: what they refer to may come under other IDs. */

let source: TestServer;
let target: TestServer;
beforeAll(async () => {
  [source, target] = await Promise.all([startServer(), startServer()]);
});
afterAll(() => Promise.all([source.stop(), target.stop()]));

const html = `{% region picture type="image" %}none{% endregion %}
<a href="{% region paper type="link" %}/none{% endregion %}">Paper</a>
<a href="{% region next type="link" %}/none{% endregion %}">Next</a>
{% region words type="text" %}none{% endregion %}`;

it('the words of a page survive export and import, with the IDs of images and links mapped', async () => {
  const orders = [{ name: 'cv', type: 'file' }];
  await createCollection(source, { slug: 'orders', live: true, fields: orders });
  const site = await createSite(source);
  expect((await importBundle(target, await download(source))).status).toBe(200);
  // A visitor of the target has uploaded files, which keep their IDs.
  for (const name of ['cv.txt', 'photo.txt'])
    await createItem(target, 'orders', { cv: Number((await uploadOne(target, name, name))['id']) });

  const picture = await uploadOne(source, 'picture.jpg', await draw({ width: 12, height: 8 }));
  const paper = await uploadOne(source, 'paper.txt', 'paper');
  const next = await createPage(source, site, { slug: 'next', published: true });
  const regions = {
    picture: picture['id'],
    paper: { file: paper['id'], text: 'Read' },
    next: { page: next },
    words: `Not an ID: ${Number(picture['id'])}`,
    unshown: { any: ['thing', picture['id']] },
  };
  const page = await createPage(source, site, { slug: 'words', published: true, html, regions });
  expect((await callOk(source, 'GET', `/pages/${page}`))['regions']).toEqual(regions);

  expect((await importBundle(target, await download(source))).status).toBe(200);
  const files = await callList(target, '/files');
  const idOf = (name: string) => files.find((file) => file['name'] === name)?.['id'];
  const ids = [idOf('picture.jpg'), idOf('paper.txt')];
  // Otherwise the test would say nothing.
  expect(ids).not.toContain(picture['id']);
  expect(ids).not.toContain(paper['id']);
  const imported = await callOk(target, 'GET', `/pages/${page}`);
  expect(imported['regions']).toEqual({
    ...regions,
    picture: ids[0],
    paper: { file: ids[1], text: 'Read' },
  });
  expect(imported['region_schema']).toHaveLength(4);
  const text = await (await fetch(`${target.url}/words`)).text();
  expect(text).toContain('/media/picture');
  expect(text).toContain('href="/media/paper.txt"');
  expect(text).toContain('href="/next"');
  // What the words use is known, so it is not offered for deletion.
  const { usage } = asRecord(await callOk(target, 'GET', `/files/${String(ids[0])}`));
  expect(usage).toContainEqual(expect.objectContaining({ kind: 'page', id: page }));

  // Imported again, nothing moves.
  expect((await importBundle(target, await download(source))).status).toBe(200);
  expect((await callOk(target, 'GET', `/pages/${page}`))['regions']).toEqual(imported['regions']);
});
