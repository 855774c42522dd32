/** The variables that a template can read at a place, with what is known of their values. */
import { systemObjects } from '../../../runtime/page/system-objects.ts';
import type { FolderWorld } from '../templates/folder-templates.ts';

/** A value whose fields are known. */
export type Shape =
  | { readonly kind: 'entry'; readonly collection: string }
  | { readonly kind: 'entries'; readonly collection: string }
  | { readonly kind: 'node' }
  | { readonly kind: 'nodes' }
  | { readonly kind: 'object'; readonly fields: readonly string[] }
  | undefined;

export interface Variable {
  readonly name: string;
  readonly shape: Shape;
  readonly about: string;
}

export interface Member {
  readonly name: string;
  readonly about: string;
}

const loopFields = [
  'counter',
  'counter0',
  'revcounter',
  'revcounter0',
  'first',
  'last',
  'length',
  'parentloop',
];
const entryFields = ['id', 'published', '_created', '_updated', '_url'];

/** @param before the template up to the place. @param params parameters of the snippet */
export function listVariables(
  before: string,
  params: readonly Member[],
  world: FolderWorld,
): readonly Variable[] {
  const known = new Map<string, Variable>();
  const add = (name: string, shape: Shape, about: string) => known.set(name, { name, shape, about });
  for (const [name, fields] of systemObjects.variables)
    add(name, fields === 'any' ? undefined : { kind: 'object', fields: [...fields] }, '');
  for (const { name, about } of params) add(name, undefined, about);
  const pattern =
    /\{%-?\s*(?:(for)\s+([\w,\s]+?)\s+in\s+([^%]+?)|(?:set|with)\s+(\w+)\s*=\s*([^%]+?))\s*-?%\}/g;
  for (const [, loop, names = '', list = '', name = '', value = ''] of before.matchAll(pattern)) {
    if (loop === undefined) {
      add(name, findShape(value, known, world), `{% set ${name} = ${value} %}`);
      continue;
    }
    const shape = findElement(findShape(list, known, world));
    const targets = names.split(',').map((target) => target.trim());
    for (const target of targets)
      add(target, targets.length === 1 ? shape : undefined, `{% for ${names} in ${list} %}`);
    add('forloop', { kind: 'object', fields: loopFields }, 'The loop around this place.');
  }
  return [...known.values()];
}

/** The fields of a value at a path such as `entry.author`. */
export function listMembers(
  path: string,
  variables: readonly Variable[],
  world: FolderWorld,
): readonly Member[] {
  const known = new Map(variables.map((variable) => [variable.name, variable]));
  const shape = findShape(path, known, world);
  switch (shape?.kind) {
    case 'object':
      return shape.fields.map((name) => ({ name, about: '' }));
    case 'node':
      return [...systemObjects.navFields].map((name) => ({ name, about: 'Of a page in a menu.' }));
    case 'entry': {
      const fields = world.collections.get(shape.collection)?.fields ?? [];
      return [
        ...fields.map(({ name, label, type }) => ({ name, about: `${label || name} (${type})` })),
        ...entryFields.map((name) => ({ name, about: 'Of every entry.' })),
      ];
    }
    default:
      return [];
  }
}

function findElement(shape: Shape): Shape {
  if (shape?.kind === 'entries') return { kind: 'entry', collection: shape.collection };
  return shape?.kind === 'nodes' ? { kind: 'node' } : undefined;
}

function findShape(expression: string, known: ReadonlyMap<string, Variable>, world: FolderWorld): Shape {
  const text = expression.trim();
  const call = /^(data|item)\(\s*["']([^"']+)["']/.exec(text);
  if (call !== null) {
    const collection = call[2] ?? '';
    return { kind: call[1] === 'item' ? 'entry' : 'entries', collection };
  }
  if (/^(?:nav|children)\(/.test(text)) return { kind: 'nodes' };
  const [first = '', ...rest] = (/^[\w.]+/.exec(text)?.[0] ?? '').split('.');
  return rest.reduce<Shape>((shape, name) => findField(shape, name, world), known.get(first)?.shape);
}

function findField(shape: Shape, name: string, world: FolderWorld): Shape {
  if (shape?.kind === 'node') return name === 'children' ? { kind: 'nodes' } : undefined;
  if (shape?.kind !== 'entry') return undefined;
  const link = world.lookup.linkOf?.(shape.collection, name);
  return link && { kind: link.isList ? 'entries' : 'entry', collection: link.slug };
}
