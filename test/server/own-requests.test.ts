import { describe, expect, it } from 'vitest';
import { OwnRequests } from '../../server/http/outgoing/own-requests.ts';

const passphrase = 'a key that all nodes have 0123456789';

describe('the ID of an own request', () => {
  let now = Date.UTC(2026, 2, 10);
  const clock = () => now;
  const own = new OwnRequests(clock, passphrase);

  it('is a UUID, and never the same', () => {
    const ids = Array.from({ length: 100 }, () => own.newId());
    expect(new Set(ids).size).toBe(100);
    for (const id of ids)
      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it('is known to every process with the same key, and to no other', () => {
    const id = own.newId();
    expect(new OwnRequests(clock, passphrase).has(id)).toBe(true);
    expect(new OwnRequests(clock, `${passphrase}!`).has(id)).toBe(false);
    expect(new OwnRequests(clock).has(id)).toBe(false);
    const alone = new OwnRequests(clock);
    expect(alone.has(alone.newId())).toBe(true);
  });

  it('is known for ten minutes', () => {
    const id = own.newId();
    now += 600_000;
    expect(own.has(id)).toBe(true);
    now += 1_000;
    expect(own.has(id)).toBe(false);
  });

  it('cannot be changed', () => {
    const id = own.newId();
    const digits = [...id].flatMap((digit, place) => (digit === '-' ? [] : [place]));
    for (const place of digits) {
      const other = id[place] === '0' ? '1' : '0';
      expect(own.has(id.slice(0, place) + other + id.slice(place + 1))).toBe(false);
    }
    for (const text of ['', 'x', id.toUpperCase().replace(/\d/g, 'A'), id.replaceAll('-', ''), `${id}0`])
      expect(own.has(text)).toBe(false);
  });
});
