/** What people do with workflows: build them by mouse and by keys, run them, and see what happened. */
import { expect, test } from 'vitest';
import { asRecord, callList, callOk } from '../../support/api.ts';
import type { Admin } from './admin-browser.ts';

export function workflowJourneys(admin: Admin): void {
  const flowOf = async (id: number) =>
    asRecord((await callOk(admin.server, 'GET', `/workflows/${id}`))['flow']);
  const newest = async (name: string) => {
    const all = await callList(admin.server, '/workflows');
    return Number(all.find((workflow) => workflow['name'] === name)?.['id']);
  };
  const graph = (page: Awaited<ReturnType<Admin['open']>>) =>
    page.getByRole('region', { name: 'Graph of the workflow' });

  test('a workflow is built by keys alone: input, function, answer; a refused path is shown at its field', async () => {
    const page = await admin.open('/workflows');
    await page.getByRole('button', { name: 'New workflow' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('By keys');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'By keys' }).waitFor();
    await graph(page).getByRole('button', { name: 'Add node' }).focus();
    for (const [typed, name] of [
      ['http in', 'HTTP input'],
      ['javascript', 'Function'],
      ['answer', 'HTTP answer'],
    ] as const) {
      await page.keyboard.press('n');
      await dialog.getByRole('combobox').fill(typed);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await graph(page).getByRole('button', { name, exact: false, pressed: true }).focus();
    }
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Control+s');
    await page.getByText('Not saved').waitFor();
    await page.getByLabel('Path').fill('by-keys');
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved/).waitFor();
    expect(await flowOf(await newest('By keys'))).toMatchObject({
      nodes: [
        { id: 'http-in1', config: { method: 'POST', path: 'by-keys' } },
        { id: 'function1', type: 'function' },
        { id: 'http-response1', type: 'http-response' },
      ],
      wires: [
        { from: 'http-in1', out: 0, to: 'function1' },
        { from: 'function1', out: 0, to: 'http-response1' },
      ],
    });
    await page.keyboard.press('Control+Shift+Enter');
    await page.getByRole('heading', { name: 'Answer 200' }).waitFor();
  });

  test('a wire by mouse, an unsaved run with its trace, undo, and the log of runs', async () => {
    const nodes = [
      { id: 'in', type: 'http-in', x: 0, y: 0, config: { method: 'POST', path: 'by-mouse' } },
      { id: 'wait', type: 'delay', x: 240, y: 0, config: { seconds: 0 } },
      { id: 'out', type: 'http-response', x: 480, y: 0, config: { status: 201 } },
    ];
    const wires = [{ from: 'in', to: 'wait' }];
    const { id } = await callOk(admin.server, 'POST', '/workflows', {
      name: 'By mouse',
      flow: { nodes, wires },
    });
    const page = await admin.open(`/workflows/${id}`);
    await graph(page).getByRole('button', { name: 'HTTP answer' }).waitFor();
    const port = graph(page).locator('[data-id="wait"] .source');
    await port.dragTo(graph(page).getByRole('button', { name: 'HTTP answer' }));
    await graph(page).locator('.react-flow__edge').nth(1).waitFor({ state: 'attached' });

    await page.getByRole('tab', { name: 'Run', exact: true }).click();
    await page.getByLabel('Payload (JSON)').fill('{"name": "Ada"}');
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('heading', { name: 'Answer 201' }).waitFor();
    await graph(page).getByRole('button', { name: 'HTTP answer' }).click();
    await page.getByRole('tab', { name: 'Node', exact: true }).click();
    await page.getByRole('region', { name: 'In this run' }).getByText('"name": "Ada"').waitFor();

    await page.keyboard.press('Control+z');
    await graph(page).locator('.react-flow__edge').nth(1).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Shift+z');
    await graph(page).locator('.react-flow__edge').nth(1).waitFor({ state: 'attached' });
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved/).waitFor();
    expect((await flowOf(Number(id)))['wires']).toHaveLength(2);

    await page.getByRole('tab', { name: 'Runs', exact: true }).click();
    await page.getByRole('button', { name: 'Retry with this flow' }).click();
    await page.getByText('The run was repeated: OK.').waitFor();
    await page.getByRole('button', { name: 'Show in the graph' }).first().click();
    await page.getByText(/Run of .* in the graph/).waitFor();
  });

  test('a custom node brings its ports and its form', async () => {
    await callOk(admin.server, 'POST', '/flow-nodes', {
      ...{ key: 'add_tax', name: 'Add tax', inputs: 1, outputs: ['with tax', 'free'] },
      params: [{ name: 'rate', label: 'Rate in %', type: 'number', default: 19 }],
      code: 'return msg;',
    });
    const nodes = [{ id: 'tax', type: 'custom', config: { node: 'add_tax' } }];
    const { id } = await callOk(admin.server, 'POST', '/workflows', { name: 'Custom', flow: { nodes } });
    const page = await admin.open(`/workflows/${id}`);
    await graph(page).getByRole('button', { name: 'Custom node' }).click();
    await page.getByLabel('Rate in %').fill('7');
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved/).waitFor();
    expect((await flowOf(Number(id)))['nodes']).toMatchObject([{ config: { params: { rate: 7 } } }]);
  });

  test('two people change different nodes: both changes are kept', async () => {
    const nodes = [
      { id: 'a', type: 'inject', config: {} },
      { id: 'b', type: 'debug', x: 240, config: {} },
    ];
    const { id } = await callOk(admin.server, 'POST', '/workflows', { name: 'Shared', flow: { nodes } });
    const page = await admin.open(`/workflows/${id}`);
    await graph(page).getByRole('button', { name: 'Start by hand' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    const theirs = nodes.map((node) => (node.id === 'b' ? { ...node, name: 'Theirs' } : node));
    await callOk(admin.server, 'PUT', `/workflows/${id}`, { flow: { nodes: theirs } });
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Save merged version' }).click();
    await page.getByText(/^Saved/).waitFor();
    expect((await flowOf(Number(id)))['nodes']).toMatchObject([{ name: 'Mine' }, { name: 'Theirs' }]);
  });

  test('a workflow is switched off, copied, and deleted with a way back; a secret is set', async () => {
    await callOk(admin.server, 'POST', '/workflows', { name: 'Listed' });
    const page = await admin.open('/workflows');
    const row = page.getByRole('row', { name: /Listed/ });
    await row.getByLabel('Listed is on').click({ force: true });
    await page.getByText('"Listed" is off.').waitFor();
    await row.getByRole('button', { name: 'Actions for Listed' }).click();
    await page.getByRole('menuitem', { name: 'Delete workflow' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await row.getByRole('button', { name: 'Actions for Listed' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate workflow' }).click();
    await page.getByRole('button', { name: 'Create copy' }).click();
    await page.getByRole('heading', { level: 1, name: 'Listed (copy)' }).waitFor();

    await page.getByRole('link', { name: 'Workflows' }).first().click();
    await page.getByRole('button', { name: 'Secrets' }).click();
    await page.getByRole('button', { name: 'New secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('shop');
    await dialog.getByLabel('Value', { exact: true }).fill('very secret');
    await dialog.getByRole('button', { name: 'Save secret' }).click();
    await dialog.getByLabel('Name').fill('SHOP_TOKEN');
    await dialog.getByRole('button', { name: 'Save secret' }).click();
    await page.getByRole('cell', { name: 'SHOP_TOKEN', exact: true }).waitFor();
    expect(await callList(admin.server, '/workflow-secrets')).toMatchObject([{ name: 'SHOP_TOKEN' }]);
  });
}
