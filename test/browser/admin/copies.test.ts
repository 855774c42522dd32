/** Editors that save into working copies: what visitors see changes with the publication alone. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, callList, callOk } from '../../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { createCollection, createItem, createPage, createSite } from '../../support/content.ts';
import { addPerson } from '../../support/people.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { setUp } from '../../support/session.ts';
import { codeEditor, findToast, openAdmin, violations } from './admin-browser.ts';

describe.skipIf(isWithoutBrowser)('working copies in the editors', () => {
  let server: TestServer;
  let browser: Browser;
  let session: string;
  let root: number;
  const opened: Page[] = [];

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), startBrowser()]);
    session = await setUp(server);
    root = await createSite(server, { domain: '127.0.0.1' });
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  const open = async (path: string, as = session): Promise<Page> => {
    const page = await openAdmin(browser, server, path, { session: as });
    opened.push(page);
    return page;
  };
  const close = async () => {
    for (const page of opened.splice(0)) await page.context().close();
  };
  const newPage = (title: string, fields: object = {}) =>
    createPage(server, root, { title, published: true, html: 'first\nsecond\nthird\n', ...fields });
  const live = (id: number) => callOk(server, 'GET', `/pages/${id}`);
  const copy = (id: number) => callOk(server, 'GET', `/pages/${id}/copy`);
  const hasCopy = async (path: string) => (await call(server, 'GET', `${path}/copy`)).status === 200;

  test('an entry is saved while it is typed, and live when it is published', async () => {
    const slug = `boats-${root}`;
    const collection = await createCollection(server, {
      slug,
      fields: [
        { name: 'title', label: 'Title', type: 'text' },
        { name: 'note', label: 'Note', type: 'text' },
      ],
    });
    const id = await createItem(server, collection, { title: 'Marie', note: 'old' });
    const path = `/collections/${collection}/items/${id}`;
    const page = await open(`/collections/${slug}/${id}`);
    await page.getByLabel('Title', { exact: true }).fill('Marie Celeste');
    await page.getByText('Unpublished changes: title.').waitFor();
    await page.getByText(/^Saved/).waitFor();
    expect(await callOk(server, 'GET', `${path}/copy`)).toMatchObject({ data: { title: 'Marie Celeste' } });
    expect(await callOk(server, 'GET', path)).toMatchObject({ data: { title: 'Marie' } });
    expect(await violations(page)).toEqual([]);

    await page.reload();
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Marie Celeste');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await findToast(page, '"Marie Celeste" is live.').waitFor();
    expect(await callOk(server, 'GET', path)).toMatchObject({
      data: { title: 'Marie Celeste', note: 'old' },
    });
    expect(await hasCopy(path)).toBe(false);
    await findToast(page, '"Marie Celeste" is live.').getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(async () => (await callOk(server, 'GET', path))['data'])
      .toMatchObject({ title: 'Marie' });
    await close();
  });

  test('two people edit one page at the same time; visitors see both edits with the publication', async () => {
    const id = await newPage('Together');
    const visit = async () => (await fetch(`${server.url}${String((await live(id))['path'])}`)).text();
    const person = await addPerson(server, session, [2]);
    const path = `/s/${root}/pages/${id}/content`;
    const [mine, theirs] = [await open(path), await open(path, person.session)];
    await Promise.all([codeEditor(mine).waitFor(), codeEditor(theirs).waitFor()]);
    await codeEditor(mine).click();
    await mine.keyboard.press('Control+Home');
    await mine.keyboard.insertText('mine ');
    await theirs.getByLabel('Title', { exact: true }).fill('Together again');
    await expect
      .poll(async () => (await call(server, 'GET', `/pages/${id}/copy`)).body)
      .toMatchObject({
        title: 'Together again',
        html: 'mine first\nsecond\nthird\n',
      });
    await codeEditor(theirs).click();
    await theirs.keyboard.press('Control+End');
    await theirs.keyboard.insertText('theirs');
    await expect.poll(async () => (await copy(id))['html']).toBe('mine first\nsecond\nthird\ntheirs');
    await codeEditor(mine).click();
    await mine.keyboard.press('Control+Home');
    await mine.keyboard.insertText('really ');
    await expect.poll(async () => (await copy(id))['html']).toBe('really mine first\nsecond\nthird\ntheirs');
    await expect.poll(() => mine.getByLabel('Title', { exact: true }).inputValue()).toBe('Together again');
    await mine.getByText(new RegExp(`${person.username} (is here|is editing)`)).waitFor();
    await theirs.getByText(/ada (is here|is editing)/).waitFor();
    expect(await live(id)).toMatchObject({ title: 'Together', html: 'first\nsecond\nthird\n' });
    expect(await visit()).not.toContain('mine');

    await theirs.goto('about:blank');
    await expect.poll(() => mine.getByText(person.username).count()).toBe(0);
    await mine.getByRole('button', { name: 'Publish', exact: true }).click();
    await findToast(mine, '"Together again" is live.').waitFor();
    expect(await visit()).toContain('really mine first');
    expect(await visit()).toContain('theirs');
    await close();
  });

  test('what both have changed is asked, and nothing is lost', async () => {
    const id = await newPage('Disputed');
    const person = await addPerson(server, session, [3]);
    const page = await open(`/s/${root}/pages/${id}/content`);
    const title = page.getByLabel('Title', { exact: true });
    await title.fill('Mine');
    await page.getByText('Unpublished changes: Title.').waitFor();
    await person.ask('PUT', `/pages/${id}/copy`, { title: 'Theirs' });
    await title.fill('Mine again');
    const dialog = page.getByRole('dialog', { name: 'Both of you changed this' });
    await dialog.waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await copy(id)).toMatchObject({ title: 'Theirs' });
    await dialog.getByText('Mine', { exact: true }).last().click();
    await dialog.getByRole('button', { name: 'Save merged version' }).click();
    await expect.poll(async () => (await copy(id))['title']).toBe('Mine again');
    await close();
  });

  test('publishing asks about what was changed live too', async () => {
    const id = await newPage('Twice');
    await callOk(server, 'PUT', `/pages/${id}/copy`, { title: 'Waiting' });
    await callOk(server, 'PUT', `/pages/${id}`, { title: 'Hurried' });
    const page = await open(`/s/${root}/pages/${id}/content`);
    await page.getByText('One field was changed live too.').waitFor();
    await page.getByRole('button', { name: 'Differences' }).click();
    const differences = page.getByRole('dialog', { name: /^Unpublished changes of/ });
    await differences.getByText('Hurried').waitFor();
    await differences.getByText('Waiting', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog', { name: 'Publish "Waiting"' });
    await dialog.getByText('As in the release').click();
    await dialog.getByRole('button', { name: 'Publish now' }).click();
    await expect.poll(async () => (await live(id))['title']).toBe('Waiting');
    await close();
  });

  test('unpublished changes move into a release, or are discarded', async () => {
    const id = await newPage('Moving');
    const page = await open(`/s/${root}/pages/${id}/content`);
    const title = page.getByLabel('Title', { exact: true });
    await title.fill('Moved');
    await page.getByText('Unpublished changes: Title.').waitFor();
    await page.getByRole('button', { name: 'More ways to publish' }).click();
    await page.getByRole('menuitem', { name: 'Add to release…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add changes to a release' });
    await dialog.getByLabel('Name').fill(`Spring ${id}`);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await findToast(page, `Your changes are in "Spring ${id}".`).waitFor();
    await expect.poll(() => title.inputValue()).toBe('Moving');
    await page.getByText('Changes of this wait in a release:').waitFor();
    const sets = await callList(server, `/change-sets?kind=page&id=${id}`);
    expect(sets.filter(({ state }) => state === 'open')).toMatchObject([
      { purpose: 'release', name: `Spring ${id}` },
    ]);

    await title.fill('Dropped');
    await page.getByText('Unpublished changes: Title.').waitFor();
    await page.getByRole('button', { name: 'More actions' }).last().click();
    await page.getByRole('menuitem', { name: 'Discard changes…' }).click();
    await page.getByRole('button', { name: 'Discard changes', exact: true }).click();
    await expect.poll(() => title.inputValue()).toBe('Moving');
    expect(await hasCopy(`/pages/${id}`)).toBe(false);
    await close();
  });

  test('the tree says which pages have changes that wait, and shows them alone', async () => {
    const [changed, scheduled, plain] = [
      await newPage('Marked'),
      await newPage('Timed'),
      await newPage('Plain'),
    ];
    await callOk(server, 'PUT', `/pages/${changed}/copy`, { title: 'Marked anew' });
    const { id: release } = await callOk(server, 'POST', '/change-sets', { name: 'At noon' });
    await callOk(server, 'PUT', `/change-sets/${release}/items/page/${scheduled}`, { title: 'Timed anew' });
    await callOk(server, 'PUT', `/change-sets/${release}`, { publish_at: 4_000_000_000 });
    const page = await open(`/s/${root}/pages/${plain}/content`);
    const tree = page.getByRole('tree');
    const row = (title: string) => tree.getByRole('treeitem', { name: title });
    await row('Marked').getByText('Unpublished changes').waitFor();
    await row('Timed')
      .getByText(/^Goes live .* with "At noon"$/)
      .waitFor();
    await page.getByText('Scheduled', { exact: true }).click();
    await expect.poll(() => row('Marked').count()).toBe(0);
    await row('Timed').waitFor();
    expect(await violations(page)).toEqual([]);
    await close();
  });

  test('somebody who may not publish works in the copy and asks for a review', async () => {
    const id = await newPage('Reviewed');
    const author = await addPerson(server, session, [4]);
    const page = await open(`/s/${root}/pages/${id}/content`, author.session);
    await page.getByLabel('Title', { exact: true }).fill('By an author');
    await page.getByText('You may not publish this.').waitFor();
    expect(await page.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Request review' }).click();
    await findToast(page, 'Those who may publish are asked to look at "By an author".').waitFor();
    const { change_set } = await copy(id);
    expect(await callOk(server, 'GET', `/change-sets/${change_set}`)).toMatchObject({
      review: { state: 'requested', by: author.username },
    });
    expect(await live(id)).toMatchObject({ title: 'Reviewed' });
    await close();
  });

  test('without the server changes stay in the browser, and are saved when it answers again', async () => {
    const id = await newPage('Offline');
    const page = await open(`/s/${root}/pages/${id}/content`);
    const title = page.getByLabel('Title', { exact: true });
    await title.waitFor();
    const isCopy = (url: URL) => url.pathname === `/api/v1/pages/${id}/copy`;
    await page.route(isCopy, (route) => route.abort());
    await title.fill('Typed offline');
    await page.getByText('The server does not answer. Changes stay in this browser.').first().waitFor();
    await page.unroute(isCopy);
    await expect
      .poll(async () => (await call(server, 'GET', `/pages/${id}/copy`)).body)
      .toMatchObject({
        title: 'Typed offline',
      });
    await close();
  });

  test('a draft is published with its changes, and a snippet with an error only knowingly', async () => {
    const id = await newPage('Draft', { published: false });
    const page = await open(`/s/${root}/pages/${id}/content`);
    await page.getByLabel('Title', { exact: true }).fill('Finished');
    await page.keyboard.press('Control+Enter');
    await findToast(page, '"Finished" is live.').waitFor();
    expect(await live(id)).toMatchObject({ title: 'Finished', published: true });

    const { id: snippet } = await callOk(server, 'POST', '/snippets', { name: `part-${id}`, content: 'a' });
    const code = await open(`/snippets/${snippet}`);
    await codeEditor(code, 'Code').click();
    await code.keyboard.press('Control+End');
    await code.keyboard.insertText('{% if %}');
    await code.getByText('Unpublished changes:').waitFor();
    await code.getByRole('button', { name: 'Publish', exact: true }).click();
    await code.getByRole('button', { name: 'Publish with errors' }).waitFor();
    expect(await callOk(server, 'GET', `/snippets/${snippet}`)).toMatchObject({ content: 'a' });
    await code.getByRole('button', { name: 'Publish with errors' }).click();
    await expect
      .poll(async () => (await callOk(server, 'GET', `/snippets/${snippet}`))['content'])
      .toContain('{% if %}');
    await close();
  });
});
