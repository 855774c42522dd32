/** What was typed and not saved: closed windows, lost answers. */
import { expect, test } from 'vitest';
import { type Admin, codeEditor } from './admin-browser.ts';

export function draftJourneys(admin: Admin): void {
  test('what was typed in the last moment before the window closes waits there', async () => {
    const id = await admin.newPage('Last moment');
    const page = await admin.open(`/s/1/pages/${id}/content`);
    await page.getByLabel('Title').fill('Typed at last');
    await page.reload();
    await page.getByText(/Unsaved changes from .*: Title\./).waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    expect(await page.getByLabel('Title').inputValue()).toBe('Typed at last');
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved/).waitFor();
  });

  test('changes of two visits wait one after the other', async () => {
    const id = await admin.newPage('Two visits');
    const page = await admin.open(`/s/1/pages/${id}/content`);
    await page.getByLabel('Title').fill('First visit');
    await page.reload();
    await page.getByText(/Unsaved changes from .*: Title\./).waitFor();
    await codeEditor(page).click();
    await page.keyboard.insertText('second visit');
    await page.reload();
    await page.getByText(/Unsaved changes from .*: Template\./).waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText(/Unsaved changes from .*: Title\./).waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved/).waitFor();
    const html = expect.stringContaining('second visit');
    expect(await admin.pageOf(id)).toMatchObject({ title: 'First visit', html });
    await page.reload();
    await page.getByLabel('Title').waitFor();
    expect(await page.getByText('Unsaved changes').count()).toBe(0);
  });

  test('a save whose answer was lost is no conflict with oneself', async () => {
    const id = await admin.newPage('Lost answer');
    const page = await admin.open(`/s/1/pages/${id}/content`);
    const isSave = (url: URL) => url.pathname === `/api/v1/pages/${id}`;
    let saves = 0;
    await page.route(isSave, async (route) => {
      if (route.request().method() !== 'PUT' || saves++ > 0) return route.fallback();
      await route.fetch();
      await route.abort();
    });
    await page.getByLabel('Title').fill('Arrived');
    await page.keyboard.press('Control+s');
    await page.getByText('The server does not answer. Changes stay in this browser.').first().waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(/^Saved/).waitFor();
    await page.unroute(isSave);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await admin.pageOf(id)).toMatchObject({ title: 'Arrived' });
  });
}
