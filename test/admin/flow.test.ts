/** What the workflow editor does with flows: changes, merges, copies, ways by keys, and what runs show. */
import { describe, expect, test } from 'vitest';
import {
  addWire,
  computePorts,
  configure,
  type Flow,
  faultOfWire,
  freePlace,
  type NodeTypes,
  removeNodes,
  removeOutput,
} from '../../admin/src/content/flow.ts';
import { StepHistory } from '../../admin/src/editing/step-history.ts';
import { copyNodes, partIn, pasteNodes } from '../../admin/src/screens/workflows/model/clipboard.ts';
import { computeDifferences } from '../../admin/src/screens/workflows/model/differences.ts';
import { placeNodes } from '../../admin/src/screens/workflows/model/layout.ts';
import { mergeFlows } from '../../admin/src/screens/workflows/model/merge.ts';
import { hasEffect, listSettings, newConfig } from '../../admin/src/screens/workflows/model/settings.ts';
import { computeTraces } from '../../admin/src/screens/workflows/model/trace.ts';
import { inOrder, nodeBeside } from '../../admin/src/screens/workflows/model/walk.ts';
import { describeNodeTypes } from '../../server/features/workflows/nodes/describe.ts';

const types: NodeTypes = new Map(describeNodeTypes().map((info) => [info.type, info]));

function node(id: string, type: string, x = 0, y = 0, config: Readonly<Record<string, unknown>> = {}) {
  return { id, type, name: '', x, y, config };
}

const rules = [{ op: 'eq', value: 1 }, { op: 'gt', value: 1 }, { op: 'else' }];
const flow: Flow = {
  nodes: [
    node('in', 'http-in'),
    node('pick', 'switch', 240, 0, { rules }),
    node('one', 'debug', 480, -96),
    node('rest', 'debug', 480, 96),
  ],
  wires: [
    { from: 'in', out: 0, to: 'pick' },
    { from: 'pick', out: 0, to: 'one' },
    { from: 'pick', out: 2, to: 'rest' },
  ],
};
const [input, pick, one, rest] = flow.nodes;

describe('ports', () => {
  test.each([
    [node('a', 'inject'), true, 1],
    [node('a', 'function'), false, 1],
    [node('a', 'function', 0, 0, { outputs: 4 }), false, 4],
    [node('a', 'switch', 0, 0, { rules }), false, 3],
    [node('a', 'debug'), false, 0],
    [node('a', 'custom', 0, 0, { inputs: 0, outputs: ['a', 'b'] }), true, 2],
    [node('a', 'unknown'), false, 1],
  ])('%j', (given, isStart, outputs) => {
    expect(computePorts(given, types)).toEqual({ isStart, outputs });
  });

  test.each([
    ['one', 0, 'rest', 'isMissing'],
    ['pick', 3, 'rest', 'isMissing'],
    ['pick', 0, 'in', 'isStart'],
    ['pick', 0, 'one', 'isThere'],
    ['pick', 0, 'pick', 'isSelf'],
    ['pick', 1, 'one', undefined],
  ])('a wire from %s %d to %s: %s', (from, out, to, fault) => {
    expect(faultOfWire(flow, { from, out, to }, types)).toBe(fault);
  });
});

describe('changes', () => {
  test('wires go with their nodes and outputs, and stay with the rules that they belong to', () => {
    expect(removeNodes(flow, new Set(['pick'])).wires).toEqual([]);
    expect(configure(flow, 'pick', { rules: rules.slice(0, 1) }, types).wires).toEqual(
      flow.wires.slice(0, 2),
    );
    expect(removeOutput(flow, 'pick', 1).wires.at(-1)).toEqual({ from: 'pick', out: 1, to: 'rest' });
    expect(addWire(flow, { from: 'pick', out: 0, to: 'one' })).toBe(flow);
  });

  test('a new node stands beside what is there', () => {
    expect(freePlace(flow, input, { x: 0, y: 0 })).toEqual({ x: 240, y: 96 });
    expect(freePlace({ nodes: [], wires: [] }, undefined, { x: 7, y: 9 })).toEqual({ x: 0, y: 16 });
  });

  test('typing is one step of the history until it pauses', () => {
    let now = 0;
    const history = new StepHistory<string>(() => now);
    history.add('', 'a', 'name');
    now = 500;
    history.add('a', 'ab', 'name');
    now = 2000;
    history.add('ab', 'abc', 'name');
    expect([history.undo(), history.undo(), history.undo()]).toEqual(['ab', '', undefined]);
    expect([history.redo(), history.canRedo]).toEqual(['ab', true]);
  });

  test('copies get new IDs and their inner wires, also in another flow', () => {
    const part = partIn(copyNodes(flow, new Set(['pick', 'one'])));
    const { flow: other, ids } = pasteNodes({ nodes: [node('switch1', 'switch')], wires: [] }, part ?? flow);
    expect(ids).toEqual(['switch2', 'debug1']);
    expect(other.wires).toEqual([{ from: 'switch2', out: 0, to: 'debug1' }]);
    expect(pasteNodes(flow, part ?? flow).flow.nodes.at(-1)).toMatchObject({ x: 512, y: -64 });
    expect([partIn('{"nodes":[]}'), partIn('text')]).toEqual([undefined, undefined]);
  });
});

describe('merge', () => {
  const changed = (id: string, fields: object): Flow => ({
    ...flow,
    nodes: flow.nodes.map((each) => (each.id === id ? { ...each, ...fields } : each)),
  });

  test('changes of different nodes and fields go together', () => {
    const mine = changed('one', { name: 'Mine' });
    const theirs = removeNodes(changed('pick', { x: 300 }), new Set(['rest']));
    const merged = mergeFlows(flow, mine, theirs);
    expect(merged?.nodes.map(({ id, name, x }) => [id, name, x])).toEqual([
      ['in', '', 0],
      ['pick', '', 300],
      ['one', 'Mine', 480],
    ]);
    expect(merged?.wires).toEqual(flow.wires.slice(0, 2));
    expect(
      mergeFlows(flow, changed('one', { name: 'A' }), changed('one', { config: { property: 'msg' } }))
        ?.nodes[2],
    ).toMatchObject({ name: 'A', config: { property: 'msg' } });
  });

  test.each([
    ['the same field', changed('one', { name: 'A' }), changed('one', { name: 'B' })],
    [
      'a node that the other has removed',
      changed('rest', { name: 'A' }),
      removeNodes(flow, new Set(['rest'])),
    ],
  ])('%s asks', (_name, mine, theirs) => {
    expect(mergeFlows(flow, mine, theirs)).toBeUndefined();
  });
});

describe('differences', () => {
  const names = ({ nodes, wires }: ReturnType<typeof computeDifferences>) => [
    [...nodes.values()].map(({ node: { id }, change, fields }) => [
      id,
      change,
      ...fields.map(({ field }) => field),
    ]),
    [...wires.values()].map(({ wire: { from, to }, change }) => [from, to, change]),
  ];

  test('name nodes that are new, gone, changed or moved, and wires', () => {
    const after: Flow = {
      nodes: [
        node('in', 'http-in', 0, 16),
        node('pick', 'switch', 240, 0, { rules: rules.slice(1), all: true }),
        node('one', 'mail', 480, -96),
        node('new', 'debug', 720),
      ],
      wires: [...flow.wires.slice(0, 2), { from: 'pick', out: 1, to: 'new' }],
    };
    expect(names(computeDifferences(flow, after))).toEqual([
      [
        ['in', 'moved'],
        ['pick', 'changed', 'rules', 'all'],
        ['one', 'changed', 'type'],
        ['new', 'added'],
        ['rest', 'removed'],
      ],
      [
        ['pick', 'new', 'added'],
        ['pick', 'rest', 'removed'],
      ],
    ]);
    expect(names(computeDifferences(flow, flow))).toEqual([[], []]);
  });

  test('show both states in one graph; what is gone covers nothing that is there', () => {
    const after: Flow = { nodes: [node('other', 'debug', 490, 90)], wires: [] };
    const { flow: both } = computeDifferences({ nodes: flow.nodes.slice(3), wires: [] }, after);
    expect(both.nodes.map(({ id, x, y }) => [id, x, y])).toEqual([
      ['other', 490, 90],
      ['rest', 480, 160],
    ]);
  });
});

test('arrows follow wires, else lead to the nearest node at that side', () => {
  expect(input && nodeBeside(flow, input, 'ArrowRight')).toBe(pick);
  expect(pick && nodeBeside(flow, pick, 'ArrowRight')).toBe(one);
  expect(one && nodeBeside(flow, one, 'ArrowDown')).toBe(rest);
  expect(rest && nodeBeside(flow, rest, 'ArrowLeft')).toBe(pick);
  expect(input && nodeBeside(flow, input, 'ArrowLeft')).toBeUndefined();
  expect(inOrder(flow).map(({ node: { id }, depth }) => [id, depth])).toEqual([
    ['in', 0],
    ['pick', 1],
    ['one', 2],
    ['rest', 2],
  ]);
});

test('a run shows counts, times and errors at nodes, and which wires were used', () => {
  const time = 0;
  const { nodes, wires } = computeTraces(
    {
      trace: [
        { node: 'in', time, ms: 1, in: '{}', out: ['{}'] },
        { node: 'pick', time, ms: 2, in: '{}', out: ['', '', '{}'] },
        { node: 'pick', time, ms: 3, in: '{}', out: ['', '', '{}'] },
      ],
      logs: [{ level: 'error', node: 'rest', label: 'debug rest', message: 'no', time }],
    },
    flow,
  );
  expect(nodes.get('pick')).toEqual({ count: 2, ms: 5, errors: [] });
  expect(nodes.get('rest')).toEqual({ count: 0, ms: 0, errors: ['no'] });
  expect([...wires.values()]).toEqual([1, 2]);
});

describe('settings', () => {
  test('have an editor by the schema of the server', () => {
    const kindsOf = (type: string) => {
      const info = types.get(type);
      return info && Object.fromEntries(listSettings(info).map(({ name, kind }) => [name, kind]));
    };
    expect(kindsOf('function')).toEqual({ code: 'code', outputs: 'number' });
    expect(kindsOf('delay')).toEqual({ seconds: 'number-or-text' });
    expect(kindsOf('switch')).toEqual({ property: 'text', rules: 'list', all: 'flag' });
    expect(kindsOf('collection')).toMatchObject({ collection: 'collection', action: 'choice' });
    expect(kindsOf('extdb')).toMatchObject({ where: 'json', pk: 'text', limit: 'number-or-text' });
  });

  test('show where they have an effect; the first choice is the default', () => {
    const info = types.get('collection');
    const settings = info === undefined ? [] : listSettings(info);
    const shown = (config: object) =>
      settings.filter((setting) => hasEffect(setting, { ...config }, settings)).map(({ name }) => name);
    expect(shown({})).toEqual(['action', 'collection', 'onlyPublished']);
    expect(shown({ action: 'update' })).toEqual(['action', 'collection', 'id', 'published']);
  });

  test('a new node has what its schema asks for', () => {
    const configs = [...types.values()].map((info) => [info.type, Object.keys(newConfig(info))]);
    expect(Object.fromEntries(configs)).toMatchObject({
      mail: ['to'],
      'http-in': ['path', 'method'],
      debug: [],
    });
  });
});

describe('nodes without places', () => {
  const wires = [
    { from: 'in', out: 0, to: 'a' },
    { from: 'in', out: 0, to: 'b' },
    { from: 'a', out: 0, to: 'end' },
    { from: 'b', out: 0, to: 'end' },
    { from: 'end', out: 0, to: 'a' },
  ];
  const placesOf = ({ nodes }: Flow) => nodes.map(({ id, x, y }) => [id, x, y]);

  test('are laid out in columns along the wires, circles too', () => {
    const nodes = [node('in', 'inject'), node('a', 'debug'), node('b', 'debug'), node('end', 'debug')];
    expect(placesOf(placeNodes({ nodes, wires }))).toEqual([
      ['in', 0, 0],
      ['a', 240, 0],
      ['b', 240, 96],
      ['end', 480, 0],
    ]);
  });

  test('come below those that have places, which stay', () => {
    const nodes = [node('in', 'inject', 16, 320), node('a', 'debug'), node('b', 'debug')];
    expect(placesOf(placeNodes({ nodes, wires: wires.slice(0, 2) }))).toEqual([
      ['in', 16, 320],
      ['a', 240, 512],
      ['b', 240, 608],
    ]);
  });

  test('are none if one node lies at the origin', () => {
    const single: Flow = { nodes: [node('in', 'inject'), node('a', 'debug', 240, 0)], wires: [] };
    expect(placeNodes(single)).toBe(single);
  });
});
