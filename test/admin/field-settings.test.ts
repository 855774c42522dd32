import { describe, expect, it } from 'vitest';
import {
  newField,
  settingNames,
  supportsSetting,
  withSetting,
  withType,
} from '../../admin/src/editors/fields/definitions/settings-of-type.ts';
import { fieldTypeNames } from '../../runtime/fields/definition.ts';
import { findSettingFaults } from '../../server/content/fields/settings.ts';

const place = { at: '', names: new Set(['f', 'other']), canBeUnique: true };

/** A value that each setting has; whether it is a good one does not matter. */
const values = {
  help: 'x',
  placeholder: 'x',
  group: 'x',
  default: 'x',
  unique: true,
  min: 1,
  max: 1,
  pattern: 'x',
  pattern_help: 'x',
  richtext: ['bold'],
  classes: [{ name: 'x', label: 'x' }],
  show_if: { field: 'other', op: 'set' },
} as const satisfies Readonly<Record<(typeof settingNames)[number], unknown>>;

describe.each(fieldTypeNames)('%s', (type) => {
  it.each(settingNames.filter((name) => name !== 'placeholder'))(
    'has %s in the editor exactly if the server takes it',
    (name) => {
      const field = { ...newField, name: 'f', type, [name]: values[name] };
      const reasons = findSettingFaults(field, place).map(({ reason }) => reason);
      const isRefused = reasons.some((reason) => reason.startsWith('is not possible for the type'));
      expect(supportsSetting(type, name)).toBe(!isRefused);
    },
  );
});

describe('another type', () => {
  const field = { ...newField, name: 'f', ...values, richtext: [], classes: [] };

  it('keeps what it has too', () => {
    expect(withType({ ...field, type: 'html' }, 'text')).toMatchObject({ min: 1, pattern: 'x', help: 'x' });
  });

  it('loses what it does not have, and measures of another kind', () => {
    expect(withType({ ...field, type: 'html' }, 'number')).toEqual({
      ...newField,
      name: 'f',
      type: 'number',
      help: 'x',
      placeholder: 'x',
      group: 'x',
      unique: true,
      show_if: { field: 'other', op: 'set' },
    });
  });

  it('group begins with a field, which no other type has', () => {
    const group = withType({ ...newField, name: 'f' }, 'group');
    expect(group.fields).toEqual([newField]);
    expect(withType({ ...group, many: true }, 'text')).toEqual({ ...newField, name: 'f' });
  });
});

it('a setting that is empty is not set', () => {
  expect(withSetting({ ...newField, help: 'x' }, 'help', '')).toEqual(newField);
  expect(withSetting(newField, 'min', 0)).toEqual({ ...newField, min: 0 });
});
