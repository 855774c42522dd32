/** Words of template pages: changed without code, in their form and from the page. */
import { expect, test } from 'vitest';
import { callOk } from '../../support/api.ts';
import { type Admin, codeEditor, violationsOfThemes } from './admin-browser.ts';

const html = `<h1>{% region heading type="text" label="Heading" help="One line." %}Welcome{% endregion %}</h1>
<p>{% region intro type="textarea" label="Introduction" %}Open daily.{% endregion %}</p>
<div>{% region body label="Text" %}<p>Long text.</p>{% endregion %}</div>
<a href="{% region target type="text" label="Where to" %}/visit{% endregion %}">Go on</a>`;

export function wordsJourney(admin: Admin): void {
  test('words of a template are changed without code, and clicked in the page', async () => {
    const id = await admin.newPage('Words', { html, regions: { old: 'Of an earlier template' } });
    const page = await admin.open(`/s/1/pages/${id}/content`);
    const form = page.getByRole('region', { name: 'Words', exact: true });
    const frame = page.frameLocator('iframe');
    const heading = form.getByLabel('Heading', { exact: true });
    await form.getByText('One line.').waitFor();
    expect(await heading.getAttribute('placeholder')).toBe('Welcome');
    await frame.getByText('Open daily.').click();
    await form.locator('[data-param="intro"] :focus').waitFor();
    await page.keyboard.insertText('Open at night.');
    await frame.getByText('Open at night.').waitFor();
    await heading.fill('Mine');
    await page
      .getByRole('textbox', { name: 'Text', exact: true })
      .and(page.locator('[contenteditable=true]'))
      .waitFor();
    expect(await violationsOfThemes(page)).toEqual([]);
    // Words that someone else saves meanwhile merge by name.
    await callOk(admin.server, 'PUT', `/pages/${id}`, { regions: { body: '<p>Theirs</p>' } });
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Taken from the other side: Text').waitFor();
    await dialog.getByRole('button', { name: 'Save merged version' }).click();
    await page.getByText(/^Saved/).waitFor();
    const words = { heading: 'Mine', intro: 'Open at night.', body: '<p>Theirs</p>' };
    expect(await admin.pageOf(id)).toMatchObject({
      html,
      regions: { ...words, old: 'Of an earlier template' },
    });
    expect(await (await fetch(`${admin.server.url}/words`)).text()).toContain('<h1>Mine</h1>');
    await form.getByRole('button', { name: 'Remove old' }).click();
    await form.getByRole('button', { name: 'Back to the default: Heading' }).click();
    await form.getByRole('button', { name: 'Edit the default: Where to' }).click();
    await form.getByLabel('Introduction', { exact: true }).fill('');
    await frame.getByRole('heading', { name: 'Welcome' }).waitFor();
    await page.keyboard.press('Control+s');
    await expect
      .poll(async () => (await admin.pageOf(id))['regions'])
      .toEqual({ intro: '', body: '<p>Theirs</p>', target: '/visit' });
    // An attribute of the page leads to its words too, from any tab.
    await page.getByRole('tab', { name: 'SEO' }).click();
    await frame.getByText('Go on').click();
    await form.locator('[data-param="target"] :focus').waitFor();
    await page.getByRole('tab', { name: 'Template' }).click();
    await codeEditor(page).waitFor();
  });

  test('a page without regions has its template as content', async () => {
    const id = await admin.newPage('No words');
    const page = await admin.open(`/s/1/pages/${id}/content`);
    await codeEditor(page).waitFor();
    expect(await page.getByRole('tab', { name: 'Template' }).count()).toBe(0);
    expect(await page.getByRole('region', { name: 'Words', exact: true }).count()).toBe(0);
  });
}
