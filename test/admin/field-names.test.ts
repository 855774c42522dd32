/** What the admin calls a field that the server has refused: names that people know, not paths. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { nameOfPath } from '../../admin/src/api/field-names.ts';

const file = new URL('../../admin/src/base/i18n/screens.en.json', import.meta.url);
const texts: unknown = JSON.parse(readFileSync(file, 'utf8'));

function findText(key: string): string | undefined {
  const text = key
    .split('.')
    .reduce<unknown>((group, part) => (typeof group === 'object' ? Object(group)[part] : undefined), texts);
  return typeof text === 'string' ? text : undefined;
}

const node = (name: string, type: string) => ({ id: 'a', name, type, x: 0, y: 0, config: {} });
const flow = { nodes: [node('Every morning', 'inject'), node('', 'http-in')], wires: [] };

test.each<[path: string, sent: unknown, name: string]>([
  ['title', { title: '' }, 'Title'],
  [
    'fields.1.collection',
    { fields: [{ name: 'a' }, { name: 'room', label: 'Room' }] },
    '"Room", Linked collection',
  ],
  ['fields.0.label', { fields: [{ name: 'room', label: '' }] }, '"room", Label'],
  ['fields.1', { fields: [{ name: 'room' }, {}] }, 'Fields 2'],
  ['flow.nodes.0.config.cron', { flow }, '"Every morning", Schedule'],
  ['flow.nodes.1.config.path', { flow }, 'HTTP input, Path'],
  ['flow.nodes.0', { flow }, '"Every morning"'],
  ['schema.params.0.type', { schema: { params: [{ name: 'tone' }] } }, '"tone", Type'],
  ['schema.slots.0.max', { schema: { slots: [{ name: 'left' }] } }, '"left", At most'],
  ['flow.nodes.1.config.path', undefined, 'nodes 2, Path'],
  ['somewhere.else', {}, 'somewhere, else'],
])('%s', (path, sent, name) => {
  expect(nameOfPath(path, sent, findText)).toBe(name);
});
