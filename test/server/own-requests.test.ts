import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Secrets } from '../../server/base/secrets.ts';
import { OwnRequests } from '../../server/http/outgoing/own-requests.ts';
import { makeTempDir } from '../support/server.ts';

const passphrase = 'a key that all nodes have 0123456789';
/** A folder that is never written, because no secret is stored. */
const nowhere = '/nonexistent';
const keyed = (text?: string) => new Secrets(nowhere, text);

describe('the ID of an own request', () => {
  let now = Date.UTC(2026, 2, 10);
  const clock = () => now;
  const own = new OwnRequests(clock, keyed(passphrase));

  it('is a UUID, and never the same', () => {
    const ids = Array.from({ length: 100 }, () => own.newId());
    expect(new Set(ids).size).toBe(100);
    for (const id of ids)
      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it('is known to every process with the same key, and to no other', () => {
    const id = own.newId();
    expect(new OwnRequests(clock, keyed(passphrase)).has(id)).toBe(true);
    expect(new OwnRequests(clock, keyed(`${passphrase}!`)).has(id)).toBe(false);
    expect(new OwnRequests(clock, keyed()).has(id)).toBe(false);
    const alone = new OwnRequests(clock, keyed());
    expect(alone.has(alone.newId())).toBe(true);
  });

  it('is known for ten minutes', () => {
    const id = own.newId();
    now += 600_000;
    expect(own.has(id)).toBe(true);
    now += 1_000;
    expect(own.has(id)).toBe(false);
  });

  it('can be computed, so that a repetition has the same one', () => {
    const at = Math.floor(now / 1000);
    const id = own.computeId(at, 'delivery 7 w');
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(new OwnRequests(clock, keyed(passphrase)).computeId(at, 'delivery 7 w')).toBe(id);
    expect(own.has(id)).toBe(true);
    const others = [own.computeId(at, 'delivery 8 w'), own.computeId(at + 1, 'delivery 7 w'), own.newId()];
    expect(new Set([id, ...others]).size).toBe(4);
  });

  it('stays the same with a key file, also one that is made later', () => {
    const folder = makeTempDir();
    const secrets = new Secrets(folder, undefined);
    const alone = new OwnRequests(clock, secrets);
    alone.newId();
    secrets.seal('a secret', 'test');
    const again = new OwnRequests(clock, new Secrets(folder, undefined));
    expect(again.computeId(1, 'x')).toBe(alone.computeId(1, 'x'));
    rmSync(folder, { recursive: true });
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
