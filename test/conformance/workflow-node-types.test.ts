import { afterAll, beforeAll, expect, it } from 'vitest';
import { asRecord, callList, callOk } from '../support/api.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';

/** GET /workflow-node-types: what editors have to know of "Data, Workflow", node types. */

let server: InProcessServer;
beforeAll(async () => {
  server = await startInProcess({});
});
afterAll(() => server.stop());

it('lists all types with their ports', async () => {
  const types = await callList(server, '/workflow-node-types');
  expect(types.map(({ type, start, outputs, outputs_by: by }) => [type, start, outputs, by])).toEqual([
    ['inject', true, 1, ''],
    ['http-in', true, 1, ''],
    ['event', true, 1, ''],
    ['function', false, 1, 'outputs'],
    ['switch', false, 0, 'rules'],
    ['http-request', false, 1, ''],
    ['collection', false, 1, ''],
    ['extdb', false, 1, ''],
    ['delay', false, 1, ''],
    ['join', false, 1, ''],
    ['mail', false, 1, ''],
    ['http-response', false, 0, ''],
    ['debug', false, 0, ''],
    ['custom', false, 0, 'outputs'],
  ]);
});

it('gives the schemas that a save checks, with hints for editors', async () => {
  const types = await callList(server, '/workflow-node-types');
  const configOf = (wanted: string) => asRecord(types.find(({ type }) => type === wanted)?.['config']);
  expect(configOf('function')).toEqual({
    type: 'object',
    properties: {
      code: { type: 'string', maxLength: 500_000, 'x-editor': 'code' },
      outputs: { type: 'integer', minimum: 1, maximum: 10 },
    },
  });
  expect(configOf('collection')).toMatchObject({
    required: ['collection'],
    properties: {
      collection: { 'x-editor': 'collection' },
      id: { 'x-only-for': { action: ['get', 'update', 'delete'] } },
    },
  });
});

it('hints name settings and values that exist', async () => {
  for (const { type, config } of await callList(server, '/workflow-node-types')) {
    const properties = asRecord(asRecord(config)['properties']);
    for (const schema of Object.values(properties).map(asRecord))
      for (const [name, values] of Object.entries(asRecord(schema['x-only-for'] ?? {})))
        expect([type, asRecord(properties[name])['enum']]).toEqual([
          type,
          expect.arrayContaining(Object.values(asRecord(values))),
        ]);
  }
});

it('a node with the settings that the schemas ask for can be saved', async () => {
  const nodes = [
    { id: 'a', type: 'event', config: { collection: 'events' } },
    { id: 'b', type: 'switch', config: { rules: [{ op: 'else' }] } },
  ];
  const flow = { nodes, wires: [{ from: 'a', to: 'b' }] };
  await callOk(server, 'POST', '/workflows', { name: 'Types', flow });
});
