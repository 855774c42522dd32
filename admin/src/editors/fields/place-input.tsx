import { NumberInput, TextInput } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import classes from './parts.module.css';
import { changeParts, joinFaults, readParts } from './parts.ts';
import { PartsBox } from './parts-box.tsx';
import type { ValueInputProps } from './value-input.ts';

/** A point on the earth by its numbers, so that no map service learns of it. */
export function PlaceInput({ field, value, error, faults = {}, help, onChange }: ValueInputProps) {
  const parts = readParts(value);
  const set = (name: string, part: unknown) => onChange(changeParts(value, { [name]: part }));
  const number = (name: 'lat' | 'lng') => (
    <NumberInput
      label={t(`values.${name}`)}
      withAsterisk={field.required}
      hideControls
      value={readNumber(parts[name])}
      onChange={(next) => set(name, next)}
    />
  );
  return (
    <PartsBox field={field} help={help} error={joinFaults({ error, inner: faults })}>
      <div className={classes['pair']}>
        {number('lat')}
        {number('lng')}
      </div>
      <TextInput
        label={t('values.placeLabel')}
        value={String(parts['label'] ?? '')}
        onChange={(event) => set('label', event.currentTarget.value)}
      />
    </PartsBox>
  );
}

function readNumber(part: unknown): string | number {
  return typeof part === 'number' ? part : String(part ?? '');
}
