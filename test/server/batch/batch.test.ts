import { describe, expect, it } from 'vitest';
import type { Kind } from '../../../server/content/kinds/kind.ts';
import { readForm } from '../../../server/features/batch/form.ts';
import { hashOfJson } from '../../../server/features/batch/service.ts';
import { snippetKind } from '../../../server/features/snippets/service.ts';
import { call } from '../../support/api.ts';
import { createSite } from '../../support/content.ts';
import { startInProcess } from '../../support/in-process.ts';

const day = 24 * 3600 * 1000;

describe('an idempotency key', () => {
  it('lives 30 days', async () => {
    let now = Date.UTC(2026, 0, 1);
    const server = await startInProcess({ clock: () => now });
    const site = await createSite(server);
    const request = {
      idempotency_key: 'k',
      ops: [{ op: 'update', kind: 'page', id: site, data: { title: 'x' } }],
    };
    const replayed = async () =>
      (await call(server, 'POST', '/batch', { body: request })).headers.get('idempotent-replay');
    expect(await replayed()).toBeNull();
    now += 30 * day;
    expect(await replayed()).toBe('true');
    expect((await call(server, 'GET', '/batch/k')).status).toBe(200);
    now += 1000;
    expect((await call(server, 'GET', '/batch/k')).status).toBe(404);
    expect(await replayed()).toBeNull();
    expect((await call(server, 'GET', '/batch/k')).status).toBe(200);
    await server.stop();
  });
});

describe('a kind of which a batch can only change the fields', () => {
  it('is refused for other operations', () => {
    const { batch: _, ...rest } = snippetKind;
    const kinds = new Map<string, Kind>([['snippet', { ...rest, batch: { ops: ['update'], idFields: [] } }]]);
    const ops = [{ op: 'create', kind: 'snippet', data: {} }];
    expect(() => readForm({ ops }, kinds)).toThrow(
      expect.objectContaining({
        code: 'batch.opNotSupported',
        params: { op: 'create', kind: 'snippet', index: 0 },
      }),
    );
  });
});

describe('the hash of a request', () => {
  it('does not depend on the order of fields, and on everything else', async () => {
    const base = await hashOfJson({ a: [1, '2', null, true], b: { c: 'x' } });
    expect(await hashOfJson({ b: { c: 'x' }, a: [1, '2', null, true] })).toBe(base);
    for (const other of [
      { a: ['2', 1, null, true], b: { c: 'x' } },
      { a: [1, 2, null, true], b: { c: 'x' } },
      { a: [1, '2', null, 'true'], b: { c: 'x' } },
      { a: [1, '2', null, true], b: { c: 'x' }, d: [] },
      { a: [1, '2', null, true], b: ['c', 'x'] },
      { a: [1, '2', null, true], b: { c: 'x\u0000' } },
    ]) {
      expect(await hashOfJson(other)).not.toBe(base);
    }
  });

  it('is that of the whole text, however long', async () => {
    const long = 'ä'.repeat(3 * 2 ** 20);
    expect(await hashOfJson(`${long}a`)).not.toBe(await hashOfJson(`${long}b`));
    expect(await hashOfJson(`${long}a`)).toBe(await hashOfJson(`${long}a`));
  });
});
