/** What people see first. */
import { expect, test } from 'vitest';
import { call, callOk } from '../../support/api.ts';
import type { Admin } from './admin-browser.ts';

export function dashboardJourney(admin: Admin): void {
  test('the dashboard leads to what went wrong, to drafts, to visitors, and to what was changed last', async () => {
    await fetch(`${admin.server.url}/never-there`);
    const id = await admin.newPage('Changed last');
    await admin.newPage('Not live yet', { published: false });
    const nodes = [
      { id: 'in', type: 'inject', x: 0, y: 0, config: {} },
      { id: 'f', type: 'function', x: 0, y: 0, config: { code: 'throw new Error("no")' } },
    ];
    const flow = { nodes, wires: [{ from: 'in', to: 'f' }] };
    const workflow = await callOk(admin.server, 'POST', '/workflows', {
      name: 'Nightly',
      flow,
      enabled: true,
    });
    await call(admin.server, 'POST', `/workflows/${workflow['id']}/run`);
    const url = `${admin.server.url}/no-receiver`;
    const webhook = await callOk(admin.server, 'POST', '/webhooks', { name: 'Index', url });
    await callOk(admin.server, 'POST', `/webhooks/${webhook['id']}/test`);

    const page = await admin.open('/');
    await page.getByRole('link', { name: /Changed last.*Live/ }).waitFor();
    await page
      .getByRole('region', { name: /draft/ })
      .getByRole('link', { name: /Not live yet/ })
      .waitFor();
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByRole('link', { name: 'Delivery to "Index" failed' }).waitFor();
    await attention.getByRole('link', { name: '"Nightly" failed' }).click();
    await page.getByRole('tab', { name: 'Runs', selected: true }).waitFor();
    await admin.open('/');
    await page.getByRole('region', { name: 'This week' }).getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor();
    await admin.open('/');
    await page.getByRole('link', { name: 'All changes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    await admin.open('/');
    await attention.getByRole('link', { name: /address(es)? not found.*never-there/ }).click();
    await page.getByRole('combobox', { name: 'New address of /never-there' }).waitFor();
    expect(await admin.pageOf(id)).toMatchObject({ title: 'Changed last' });
    await callOk(admin.server, 'DELETE', `/workflows/${workflow['id']}`);
    await callOk(admin.server, 'DELETE', `/webhooks/${webhook['id']}`);
  });
}
