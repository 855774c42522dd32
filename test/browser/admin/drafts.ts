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
}
