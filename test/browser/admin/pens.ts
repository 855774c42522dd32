/** What people try out in pens. */
import { expect, test } from 'vitest';
import { callList, callOk } from '../../support/api.ts';
import { type Admin, codeEditor, violations } from './admin-browser.ts';

export function penJourneys(admin: Admin): void {
  test('a pen runs while it is typed, apart from everything else, and is shared by its address', async () => {
    const page = await admin.open('/pens');
    await page.getByRole('button', { name: 'New pen' }).click();
    await page.getByRole('dialog').getByLabel('Title').fill('Clock');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Clock' }).waitFor();
    const result = page.frameLocator('iframe[title="Result of Clock"]');

    await codeEditor(page, 'HTML').click();
    await page.keyboard.insertText('<p id="out">{{ 20|add:22 }}</p>');
    await result.getByText('42').waitFor();
    await page.getByRole('tab', { name: 'JS' }).click();
    await codeEditor(page, 'JS').click();
    await page.keyboard.insertText(
      "let cookies = 'none'; try { cookies = document.cookie } catch {} let above = 'hidden'; try { above = parent.document.title } catch {} out.textContent = ['ran', origin, cookies, above].join();",
    );
    await result.getByText('ran,null,none,hidden').waitFor();

    await page.getByRole('tab', { name: 'HTML' }).click();
    await codeEditor(page, 'HTML').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('{% nothing %}');
    await page.getByRole('region', { name: 'Result' }).getByRole('status').getByText('nothing').waitFor();
    for (let typed = '{% nothing %}'.length; typed > 0; typed--) await page.keyboard.press('Backspace');

    await page.getByRole('tab', { name: 'Sharing' }).click();
    await page.getByLabel('Everybody may open it').check();
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved/).waitFor();
    expect(await violations(page)).toEqual([]);
    const shared = await fetch(await page.getByLabel('Address', { exact: true }).inputValue());
    expect(shared.status).toBe(200);
    expect(await shared.text()).toContain('20|add:22');
    const [pen] = await callList(admin.server, '/pens');
    expect(pen).toMatchObject({ title: 'Clock', public: true, html: '<p id="out">{{ 20|add:22 }}</p>' });

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete pen' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete pen' }).click();
    await page.getByText('No pen yet.').waitFor();
    expect(await callList(admin.server, '/pens')).toEqual([]);
  });

  test('a change that another has made to the same pen is merged', async () => {
    const { uuid } = await callOk(admin.server, 'POST', '/pens', { title: 'Shared', html: '<p>one</p>' });
    const page = await admin.open(`/pen/${uuid}`);
    await page.getByLabel('Title').fill('Mine');
    await callOk(admin.server, 'PUT', `/pens/${uuid}`, { css: 'p { color: red }' });
    await page.keyboard.press('Control+s');
    await page.getByRole('dialog').getByText('Taken from the other side').waitFor();
    await page.getByRole('button', { name: 'Save merged version' }).click();
    await page.getByText(/^Saved/).waitFor();
    expect(await callOk(admin.server, 'GET', `/pens/${uuid}`)).toMatchObject({
      title: 'Mine',
      css: 'p { color: red }',
    });
  });
}
