/** Values with parts, and faults inside of them. */
import { describe, expect, test } from 'vitest';
import {
  changeLinkTarget,
  changeParts,
  findLinkKind,
  joinFaults,
  pickFaults,
  readPartsList,
} from '../../admin/src/editors/fields/parts.ts';
import { convertValue } from '../../runtime/fields/types.ts';

const link = {
  name: 'to',
  label: 'To',
  type: 'link',
  required: false,
  options: [],
  collection: null,
} as const;

describe('parts', () => {
  test('a value without parts is none; false and 0 are parts', () => {
    expect(changeParts({ a: 1 }, { a: '' })).toBeNull();
    expect(changeParts(null, { a: false, b: 0, c: null })).toEqual({ a: false, b: 0 });
    expect(changeParts({ a: 1, b: 2 }, { b: 3 })).toEqual({ a: 1, b: 3 });
  });

  test('what was a single object is the first one of a list', () => {
    expect(readPartsList({ day: 'mon' })).toEqual([{ day: 'mon' }]);
    expect(readPartsList(null)).toEqual([]);
    expect(readPartsList(['mon', { day: 'tue' }])).toEqual([{}, { day: 'tue' }]);
  });
});

describe('links', () => {
  test('another target takes the place of the one before, and the text stays', () => {
    const page = changeLinkTarget({ text: 'Visit', new_tab: true }, 'page', 7);
    expect(page).toEqual({ page: 7, text: 'Visit', new_tab: true });
    expect(findLinkKind(page)).toBe('page');
    const address = changeLinkTarget(page, 'url', '/visit');
    expect(address).toEqual({ url: '/visit', text: 'Visit', new_tab: true });
    expect(convertValue(address, link)).toEqual(address);
    expect(findLinkKind(changeLinkTarget(address, 'url', ''))).toBeUndefined();
  });

  test('nothing is left of a link without target and text', () => {
    expect(changeLinkTarget({ file: 3 }, undefined, null)).toBeNull();
  });
});

describe('faults', () => {
  const faults = { opening: 'Too many.', 'opening.0.day': 'Fill in.', openings: 'Other.' };

  test('are those of the value and those inside of it', () => {
    expect(pickFaults(faults, 'opening')).toEqual({ error: 'Too many.', inner: { '0.day': 'Fill in.' } });
    expect(pickFaults({ '0.day': 'Fill in.' }, '0')).toEqual({
      error: undefined,
      inner: { day: 'Fill in.' },
    });
  });

  test('are one where the value has one input', () => {
    expect(joinFaults({ error: undefined, inner: { '0': 'No such entry.' } })).toBe('No such entry.');
    expect(joinFaults({ error: 'Own.', inner: { '0': 'Inner.' } })).toBe('Own.');
  });
});
