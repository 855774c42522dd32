/** What people do in the library of files. */
import { expect, test } from 'vitest';
import { callList } from '../../support/api.ts';
import { draw } from '../../support/media.ts';
import { type Admin, dropFile, showScreen, violations } from './admin-browser.ts';

export function mediaJourneys(admin: Admin): void {
  test('media: upload by drop, alt text and focal point, replace, and a picker in a page', async () => {
    const page = await admin.open('/media');
    await page.getByRole('heading', { name: 'Media', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Harbour');
    await page.getByRole('button', { name: 'Create folder' }).click();
    await page.getByRole('heading', { name: 'Harbour', level: 1 }).waitFor();
    const picture = await draw({ width: 640, height: 480, format: 'png' });
    await dropFile(page, 'No file yet.', { name: 'crane.png', type: 'image/png', bytes: picture });
    await page.getByRole('button', { name: /crane\.png.*no alt text/ }).click();
    await page.getByRole('textbox', { name: 'Alt text' }).fill('The old crane');
    await page.getByRole('button', { name: 'Focal point' }).press('ArrowRight');
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved/).waitFor();
    const [file] = await callList(admin.server, '/files?q=crane');
    expect(file).toMatchObject({ alt: 'The old crane', focus_x: 0.52, focus_y: 0.5 });
    expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Replace...' }).click();
    const dialog = page.getByRole('dialog');
    const buffer = await draw({ width: 320, height: 200, format: 'png' });
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'new.png', mimeType: 'image/png', buffer });
    await dialog.getByRole('button', { name: 'Replace file' }).click();
    await page.getByText('"crane.png" has new content.').waitFor();
    const [replaced] = await callList(admin.server, '/files?q=crane');
    expect(replaced).toMatchObject({ id: file?.['id'], width: 320, height: 200, alt: 'The old crane' });

    const id = await admin.newPage('Shared');
    await showScreen(page, `/s/1/pages/${id}/seo`);
    await page.getByRole('button', { name: 'Choose an image' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /crane\.png/ })
      .click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved/).waitFor();
    expect(await admin.pageOf(id)).toMatchObject({ og_image_file_id: file?.['id'] });
    await showScreen(page, `/media?file=${file?.['id']}`);
    await page.getByRole('link', { name: 'Shared' }).waitFor();
  });
}
