/** What people do with workflows: build them by mouse and by keys, run them, and see what happened. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asRecord, callList, callOk } from '../../support/api.ts';
import { isWithoutBrowser, startBrowser } from '../../support/browser.ts';
import { neutral } from '../../support/extdb/neutral.ts';
import { token } from '../../support/extdb/rows.ts';
import { type FakeService, startService } from '../../support/extdb/service.ts';
import { saveLive } from '../../support/live-saves.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { setUp } from '../../support/session.ts';
import { colourRules, openAdmin, showScreen, violations, violationsOfThemes } from './admin-browser.ts';

describe.skipIf(isWithoutBrowser)('workflows', () => {
  let server: TestServer;
  let browser: Browser;
  let service: FakeService;
  let page: Page;

  beforeAll(async () => {
    [server, browser, service] = await Promise.all([startServer(), startBrowser(), startService(neutral)]);
    const session = await setUp(server);
    await saveLive(server);
    await callOk(server, 'POST', '/sites', { title: 'Site', domains: '' });
    const fields = ['name', 'text'].map((name) => ({ name, label: name, type: 'text' }));
    await callOk(server, 'POST', '/collections', { slug: 'messages', name: 'Messages', fields });
    page = await openAdmin(browser, server, '/workflows', {
      session,
      viewport: { width: 1440, height: 900 },
    });
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([server.stop(), service.close()]);
  });

  const graph = () => page.getByRole('region', { name: 'Graph of the workflow' });
  const node = (name: string) => graph().getByRole('button', { name });
  const edges = () => graph().locator('.react-flow__edge');
  const dialog = () => page.getByRole('dialog');
  const saved = () => page.getByText(/^Saved/).waitFor();
  const flowOf = async (id: unknown) =>
    asRecord((await callOk(server, 'GET', `/workflows/${String(id)}`))['flow']);
  const idOf = async (name: string) =>
    (await callList(server, '/workflows')).find((workflow) => workflow['name'] === name)?.['id'];

  async function newWorkflow(name: string, flow: object = { nodes: [] }): Promise<number> {
    const { id } = await callOk(server, 'POST', '/workflows', { name, flow });
    await showScreen(page, `/workflows/${String(id)}`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    return Number(id);
  }

  /** Sends a form as a visitor does. Resolves with the texts of all messages. */
  async function received(path: string, fields: Readonly<Record<string, string>>): Promise<unknown[]> {
    const answer = await fetch(`${server.url}/api/v1/flows/${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    });
    expect(answer.status).toBe(201);
    const entries = await callList(server, '/collections/messages/items');
    return entries.map((entry) => asRecord(entry['data'])['text']);
  }

  /** Presses Tab until a field has the focus. */
  async function tabTo(label: string): Promise<void> {
    const field = page.getByLabel(label, { exact: true }).first();
    for (let presses = 0; presses < 12; presses++) {
      if (await field.evaluate((element) => element.matches(':focus'))) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`no way to ${label} by Tab`);
  }

  test('a form workflow by keys alone, from an empty canvas to a received entry', async () => {
    await showScreen(page, '/workflows');
    const keys = page.keyboard;
    await page.getByRole('button', { name: 'New workflow' }).focus();
    await keys.press('Enter');
    await dialog().getByLabel('Name').waitFor();
    await keys.type('By keys');
    await keys.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'By keys' }).waitFor();
    await graph().getByRole('button', { name: 'Add node' }).focus();
    for (const [typed, name] of [
      ['http in', 'HTTP input'],
      ['collection', 'Collection'],
      ['answer', 'HTTP answer'],
    ] as const) {
      await keys.press('n');
      await dialog().getByRole('combobox').waitFor();
      await keys.type(typed);
      await keys.press('Enter');
      await dialog().waitFor({ state: 'detached' });
      await graph().locator(':focus', { hasText: name }).waitFor();
    }
    await keys.press('Enter');
    await tabTo('Status');
    await keys.press('Control+a');
    await keys.type('201');
    await keys.press('Escape');
    await keys.press('ArrowLeft');
    await keys.press('Enter');
    await tabTo('Action');
    await keys.type('Create');
    await tabTo('Collection');
    await keys.type('Messages');
    await keys.press('Escape');
    await keys.press('ArrowLeft');
    await keys.press('Control+s');
    await page.getByText('Not saved').waitFor();
    await page.getByText(/^HTTP input, Path: /).waitFor();
    await keys.press('Enter');
    await tabTo('Path');
    await keys.type('by-keys');
    await tabTo('Public');
    await keys.press('Space');
    await keys.press('Control+s');
    await saved();
    expect(await received('by-keys', { name: 'Ada', text: 'typed' })).toEqual(['typed']);
    await keys.press('Control+Shift+Enter');
    await page.getByRole('heading', { name: 'Answer 201' }).waitFor();
  });

  test('a form workflow by mouse, from an empty canvas to a received entry', async () => {
    const id = await newWorkflow('By mouse');
    const types = page.getByRole('region', { name: 'Types of nodes' });
    const places = { 'HTTP input': 80, Collection: 320, 'HTTP answer': 560 };
    for (const [name, x] of Object.entries(places))
      await types
        .getByRole('button', { name, exact: true })
        .dragTo(graph(), { targetPosition: { x, y: 240 } });
    for (const [from, to] of [
      ['http-in1', 'collection1'],
      ['collection1', 'http-response1'],
    ] as const)
      await graph()
        .locator(`[data-id="${from}"] .source`)
        .dragTo(graph().locator(`[data-node="${to}"]`));
    await edges().nth(1).waitFor({ state: 'attached' });
    await node('HTTP input').click();
    await page.getByLabel('Path').fill('by-mouse');
    await page.getByLabel('Public').check();
    await node('Collection').click();
    await page.getByLabel('Action', { exact: true }).selectOption('create');
    await page.getByLabel('Collection', { exact: true }).selectOption('messages');
    await node('HTTP answer').click();
    await page.getByLabel('Status').fill('201');
    await page.getByRole('button', { name: 'Update active workflow' }).click();
    await saved();
    expect((await flowOf(id))['wires']).toHaveLength(2);
    expect(await received('by-mouse', { name: 'Grace', text: 'clicked' })).toContain('clicked');
  });

  test('an unsaved run with its trace, undo, and the log of runs', async () => {
    const nodes = [
      { id: 'in', type: 'http-in', x: 0, y: 0, config: { method: 'POST', path: 'traced' } },
      { id: 'out', type: 'http-response', x: 240, y: 0, config: { status: 201 } },
    ];
    const id = await newWorkflow('Traced', { nodes });
    await graph().getByRole('img', { name: 'Overview of the graph' }).waitFor();
    const port = graph().locator('[data-id="in"] .source');
    await port.dragTo(node('HTTP answer'));
    await edges().first().waitFor({ state: 'attached' });
    await page.getByRole('tab', { name: 'Run', exact: true }).click();
    await page.getByLabel('Payload (JSON)').fill('{"name": "Ada"}');
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('heading', { name: 'Answer 201' }).waitFor();
    await node('HTTP answer').click();
    await page.getByRole('tab', { name: 'Node', exact: true }).click();
    await page.getByRole('region', { name: 'In this run' }).getByText('"name": "Ada"').waitFor();
    await page.keyboard.press('Control+z');
    await edges().first().waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Shift+z');
    await edges().first().waitFor({ state: 'attached' });
    await page.keyboard.press('Control+s');
    await saved();
    expect((await flowOf(id))['wires']).toHaveLength(1);
    await page.getByRole('tab', { name: 'Runs', exact: true }).click();
    await page.getByRole('button', { name: 'Retry with this flow' }).click();
    await page.getByText('The run was repeated: OK.').waitFor();
    await page.getByRole('button', { name: 'Show in the graph' }).first().click();
    await page.getByText(/Run of .* in the graph/).waitFor();
  });

  test('a run begins where the panel says, and marks what stopped it until that is changed', async () => {
    const code = 'const x = 1;\nfoo();\nreturn msg;\n';
    const flow = {
      nodes: [
        { id: 'in', type: 'http-in', x: 0, y: 0, config: { method: 'POST', path: 'begins' } },
        { id: 'hand', type: 'inject', name: 'By hand', x: 0, y: 120, config: {} },
        { id: 'code', type: 'function', name: 'Works', x: 240, y: 0, config: { code, outputs: 1 } },
      ],
      wires: ['in', 'hand'].map((from) => ({ from, out: 0, to: 'code' })),
    };
    const id = await newWorkflow('Begins', flow);
    await callOk(server, 'PUT', `/workflows/${id}`, { enabled: true });
    await page.getByText('On', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Run', exact: true }).click();
    expect(await page.getByLabel('Start at').inputValue()).toBe('in');
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('status').filter({ hasText: 'Failed after' }).waitFor();
    const [run] = await callList(server, `/workflows/${id}/runs`);
    expect(run?.['trace']).toMatchObject([{ node: 'in' }, { node: 'code' }]);
    await page.getByRole('tab', { name: 'Node', exact: true }).click();
    const marks = page.locator('.cm-lintRange-error, .cm-lintPoint-error');
    await marks.first().waitFor();
    const editor = page.getByRole('textbox', { name: 'Code' });
    await editor.fill('return msg(;');
    await marks.first().waitFor({ state: 'detached' });
    // It is active, so broken code asks first.
    await page.keyboard.press('Control+s');
    await page.getByText('The code of this active workflow cannot run.').waitFor();
    await marks.first().waitFor();
    expect(JSON.stringify(await flowOf(id))).not.toContain('msg(;');
    await editor.fill('return msg;');
    await marks.first().waitFor({ state: 'detached' });
    await page.keyboard.press('Control+s');
    await saved();
    await editor.fill('return msg(;');
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Save with errors' }).click();
    await saved();
    await marks.first().waitFor();
    await editor.fill('return msg;');
    await marks.first().waitFor({ state: 'detached' });
    await page.keyboard.press('Control+s');
    await saved();
    // On a narrow screen the tables have all of their columns.
    await page.setViewportSize({ width: 800, height: 900 });
    await page.getByRole('tab', { name: 'Runs', exact: true }).click();
    for (const name of ['Result', 'Actions'])
      await page.getByRole('columnheader', { name, exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Retry with this flow' }).first().click({ trial: true });
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('nodes are copied into another flow, with the wires between them', async () => {
    const nodes = [
      { id: 'a', type: 'inject', x: 0, config: {} },
      { id: 'b', type: 'debug', x: 240, config: {} },
    ];
    await newWorkflow('Copied from', { nodes, wires: [{ from: 'a', to: 'b' }] });
    await node('Start by hand').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    await page.getByText('2 nodes copied.').waitFor();
    const id = await newWorkflow('Copied to', { nodes: [{ id: 'debug1', type: 'debug', config: {} }] });
    await node('Debug').click();
    await page.keyboard.press('Control+v');
    await edges().first().waitFor({ state: 'attached' });
    await page.keyboard.press('Control+s');
    await saved();
    expect(await flowOf(id)).toMatchObject({
      nodes: [{ id: 'debug1' }, { id: 'inject1' }, { id: 'debug2' }],
      wires: [{ from: 'inject1', to: 'debug2' }],
    });
  });

  test('two people change different nodes: both changes are kept', async () => {
    const nodes = [
      { id: 'a', type: 'inject', config: {} },
      { id: 'b', type: 'debug', x: 240, config: {} },
    ];
    const id = await newWorkflow('Shared', { nodes });
    await node('Start by hand').click();
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    const theirs = nodes.map((each) => (each.id === 'b' ? { ...each, name: 'Theirs' } : each));
    await callOk(server, 'PUT', `/workflows/${id}`, { flow: { nodes: theirs } });
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Save merged version' }).click();
    await saved();
    expect((await flowOf(id))['nodes']).toMatchObject([{ name: 'Mine' }, { name: 'Theirs' }]);
  });

  test('a version is compared as a graph, and restored', async () => {
    const nodes = [
      { id: 'a', type: 'inject', config: { payload: '1' } },
      { id: 'b', type: 'debug', x: 240, config: {} },
    ];
    const id = await newWorkflow('Versions', { nodes, wires: [{ from: 'a', to: 'b' }] });
    const later = [
      { ...nodes[0], config: { payload: '2' } },
      { id: 'c', type: 'mail', name: 'Tell', x: 240, y: 160, config: { to: 'a@example.org' } },
    ];
    const flow = { nodes: later, wires: [{ from: 'a', to: 'c' }] };
    await callOk(server, 'PUT', `/workflows/${id}`, { flow });
    await page.getByRole('tab', { name: 'Versions' }).click();
    const differing = page.getByRole('list', { name: 'Nodes that differ' });
    await differing.getByRole('button', { name: /Tell Added since/ }).waitFor();
    await differing.getByRole('button', { name: /Debug Removed since/ }).waitFor();
    const wires = page.getByRole('list', { name: 'Wires that differ' }).getByRole('listitem');
    expect(await wires.allTextContents()).toEqual([
      'Wire from Start by hand to TellAdded since',
      'Wire from Start by hand to DebugRemoved since',
    ]);
    await differing.getByRole('button', { name: /Start by hand Changed since Payload/ }).click();
    await page.getByRole('region', { name: 'Start by hand' }).getByText('2', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Restore this version' }).click();
    await page.getByText(/Restored the version of/).waitFor();
    expect(await flowOf(id)).toMatchObject({ nodes: [{ id: 'a' }, { id: 'b' }] });
  });

  test('a custom node is written, tried, used, and kept while a workflow uses it', async () => {
    await showScreen(page, '/workflows');
    await page.getByRole('button', { name: 'Custom nodes' }).click();
    await page.getByRole('button', { name: 'New custom node' }).click();
    await dialog().getByLabel('Name', { exact: true }).fill('Add tax');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Add tax' }).waitFor();

    await page.getByRole('tab', { name: 'Definition' }).click();
    await page.getByRole('button', { name: 'Add parameter' }).click();
    await page.getByLabel('Name in the code').fill('rate');
    await page.getByLabel('Label').fill('Rate in %');
    await page.getByLabel('Type').selectOption('number');
    await page.getByLabel('Value if empty').fill('19');
    await page.getByLabel('Name of output 1').fill('with tax');
    await page.getByRole('tab', { name: 'Code' }).click();
    const code = page.getByRole('textbox', { name: 'Code' });
    await code.fill('msg.payload *= 1 + params.rate / 100;\nreturn mgs;');
    const bench = page.getByRole('region', { name: 'Test bench' });
    expect(await bench.getByLabel('Rate in %').inputValue()).toBe('19');
    await bench.getByLabel('Rate in %').fill('10');
    await bench.getByLabel('Message (JSON)').fill('{"payload": 200}');
    await page.keyboard.press('Control+Shift+Enter');
    await bench.getByText(/^Line 2, column \d+: .*mgs is not defined/).waitFor();
    await page.locator('.cm-lint-marker-error').waitFor();
    expect(await violations(page)).toEqual([]);
    await code.fill('msg.payload *= 1 + params.rate / 100;\nreturn msg;');
    await bench.getByRole('button', { name: 'Run node' }).click();
    await bench.getByText(/"payload": 220/).waitFor();
    await page.keyboard.press('Control+s');
    await saved();
    expect(await callList(server, '/flow-nodes')).toMatchObject([
      { key: 'add_tax', outputs: ['with tax'], params: [{ name: 'rate', type: 'number', default: 19 }] },
    ]);
    await code.fill('return (;');
    await page.keyboard.press('Control+s');
    await page.getByText('Not saved').waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Discard changes' }).click();

    await newWorkflow('Taxed');
    await graph().getByRole('button', { name: 'Add node' }).click();
    await dialog().getByRole('combobox').fill('add tax');
    await page.keyboard.press('Enter');
    await page.getByLabel('Rate in %').fill('7');
    await page.keyboard.press('Control+s');
    await saved();
    expect((await flowOf(await idOf('Taxed')))['nodes']).toMatchObject([
      { type: 'custom', config: { node: 'add_tax', outputs: ['with tax'], params: { rate: 7 } } },
    ]);
    await page.getByRole('link', { name: 'Open the definition' }).click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete custom node' }).click();
    await dialog().getByText('Workflow "Taxed"').waitFor();
    expect(await dialog().getByRole('button', { name: 'Delete custom node' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
  });

  test('an external database is connected, tested, and looked through', async () => {
    await showScreen(page, '/workflows/databases');
    await page.getByRole('button', { name: 'New connection' }).click();
    await dialog().getByLabel('Name').fill('a/b');
    await dialog().getByLabel('Address').fill(service.url);
    await dialog().getByLabel('Token', { exact: true }).fill('wrong');
    await dialog().getByRole('button', { name: 'Create connection' }).click();
    await dialog()
      .getByText(/Must consist of letters/)
      .waitFor();
    await dialog().getByLabel('Name').fill('Shop');
    await dialog().getByRole('button', { name: 'Create connection' }).click();
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page
      .getByRole('region', { name: 'Test connection' })
      .getByText(/bad token/)
      .waitFor();
    await page.getByLabel('Token', { exact: true }).fill(token);
    await page.keyboard.press('Control+s');
    await page.getByText('Unsaved').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('Works: The service 2.1, 3 tables.').waitFor();

    for (let id = 6; id <= 120; id++)
      service.rows.push({ id, title: `Row ${id}`, 'price, net': id, country: 'FR', sold: false });
    await page.getByRole('link', { name: 'articles' }).click();
    await page.getByText('1 to 100 of 120').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('101 to 120 of 120').waitFor();
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Column', { exact: true }).selectOption('country');
    await page.getByLabel('Condition').selectOption('neq');
    await page.getByLabel('Value', { exact: true }).fill('FR');
    await page.keyboard.press('Enter');
    await page.getByText('1 to 5 of 5').waitFor();
    await page.getByRole('columnheader', { name: 'id' }).getByRole('button').click();
    await page.getByRole('columnheader', { name: 'id' }).getByRole('button').click();
    await page.getByRole('row').nth(1).getByText('a.b:c(d),e').waitFor();
    await page.getByRole('link', { name: 'Open row 4' }).click();
    await page.getByRole('region', { name: 'Row 4' }).getByText('100% "sure" \\ *').waitFor();
    // A colleague who opens the address sees the same.
    await page.reload();
    await page.getByRole('region', { name: 'Row 4' }).getByText('AT', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('tab', { name: '5 columns' }).click();
    await page.getByRole('row', { name: /id ID A value primary key/ }).waitFor();
    await page.getByRole('link', { name: 'Shop', exact: true }).first().click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete connection' }).click();
    await dialog().getByRole('button', { name: 'Delete connection' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await callList(server, '/extdb')).toEqual([]);
  });

  test('a workflow is switched off, copied, and deleted with a way back; a secret is set', async () => {
    await callOk(server, 'POST', '/workflows', { name: 'Listed' });
    await showScreen(page, '/workflows');
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
    await dialog().getByLabel('Name').fill('shop');
    await dialog().getByLabel('Value', { exact: true }).fill('very secret');
    await dialog().getByRole('button', { name: 'Save secret' }).click();
    await dialog().getByLabel('Name').fill('SHOP_TOKEN');
    await dialog().getByRole('button', { name: 'Save secret' }).click();
    await page.getByRole('cell', { name: 'SHOP_TOKEN', exact: true }).waitFor();
    expect(await callList(server, '/workflow-secrets')).toMatchObject([{ name: 'SHOP_TOKEN' }]);
  });

  test.each([
    ['', 'Workflows'],
    ['/1', 'By keys'],
    ['/1/list', 'By keys'],
    ['/1/runs', 'By keys'],
    ['/1/settings', 'By keys'],
    ['/secrets', 'Secrets'],
    ['/custom-nodes/1', 'Add tax'],
    ['/custom-nodes/1/definition', 'Add tax'],
    ['/databases', 'External databases'],
  ])('no violations in either theme: /workflows%s', async (path, name) => {
    await showScreen(page, `/workflows${path}`);
    await page.getByRole('heading', { level: 1, name }).waitFor({ state: 'attached' });
    expect(await violationsOfThemes(page, colourRules)).toEqual([]);
  });
});
