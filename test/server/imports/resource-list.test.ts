import { expect, it } from 'vitest';
import { ResourceList } from '../../../server/features/imports/loading/resource-list.ts';

const image = (url: string) => ({ url, kind: 'img' as const });

it('has each address once, in order, with what it was first', () => {
  const list = new ResourceList((url) => url !== 'unwanted');
  list.addAll([{ url: 'b', kind: 'css' }, image('a'), image('unwanted'), image('b')]);
  expect([...list]).toEqual([{ url: 'b', kind: 'css' }, image('a')]);
  expect(list.ofKind('img')).toEqual([image('a')]);
  expect(list.prefixOf(['a', 'b', 'unwanted', 'a'])).toEqual(['a', 'b']);
  expect(list.among(['unwanted', 'b'])).toEqual(['b']);
  expect(list.isCut).toBe(false);
});

it.each([
  ['addresses', { files: 2, characters: 100 }],
  ['characters', { files: 100, characters: 8 }],
])('has only so many %s', (_what, limits) => {
  const list = new ResourceList(() => true, limits);
  list.addAll(['one', 'two', 'three', 'one', 'four'].map(image));
  expect([...list].map(({ url }) => url)).toEqual(['one', 'two']);
  expect(list.isCut).toBe(true);
});
