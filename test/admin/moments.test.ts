import { expect, it } from 'vitest';
import { formatInZone, parseInZone } from '../../admin/src/editors/fields/moments.ts';

it.each([
  ['Europe/Berlin', '2026-01-31T09:30:00', '2026-01-31T08:30:00Z'],
  ['Europe/Berlin', '2026-07-31T00:30:00', '2026-07-30T22:30:00Z'],
  // The hours around the change to summer time and back.
  ['Europe/Berlin', '2026-03-29T01:59:59', '2026-03-29T00:59:59Z'],
  ['Europe/Berlin', '2026-03-29T03:00:00', '2026-03-29T01:00:00Z'],
  ['Europe/Berlin', '2026-10-25T03:00:00', '2026-10-25T02:00:00Z'],
  ['America/New_York', '2026-12-31T23:00:00', '2027-01-01T04:00:00Z'],
  ['Asia/Kathmandu', '2026-06-01T00:00:00', '2026-05-31T18:15:00Z'],
])('%s: the clock shows %s at %s', (zone, local, utc) => {
  expect(formatInZone(new Date(utc), zone)).toBe(local);
  expect(parseInZone(local, zone)).toBe(utc);
});

it('text without seconds is a moment, nothing is null, other text stays', () => {
  expect(parseInZone('2026-01-31T09:30', 'UTC')).toBe('2026-01-31T09:30:00Z');
  expect(parseInZone('', 'UTC')).toBeNull();
  expect(parseInZone('soon', 'UTC')).toBe('soon');
});
