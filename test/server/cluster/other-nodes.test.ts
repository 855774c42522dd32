import { afterEach, describe, expect, it } from 'vitest';
import { OutcomeUnknown } from '../../../server/changes/commit-coordinator.ts';
import type { PgRow } from '../../../server/cluster/connection.ts';
import { OtherNodes } from '../../../server/cluster/other-nodes.ts';

/** Tests of the rules at the head of server/cluster/other-nodes.ts, on a clock of their own. */

const leaseMs = 4_000;

let nodes: OtherNodes | undefined;
afterEach(() => nodes?.close());

/** The row of another node. */
function rowOf(applied: number, leaseUntil = '2026-01-01 12:00:00', id = 'b'): PgRow {
  return { id, applied, lease_until: leaseUntil, lease_ms: leaseMs };
}

/** Knowledge of other nodes with a clock that is set by hand; each look reads `rows`. */
function knowing(...rows: PgRow[]) {
  const time = { now: 0, rows };
  nodes = new OtherNodes({
    ...{ id: 'a', leaseMs, longestWaitMs: 18_500 },
    read: async () => time.rows,
    now: () => time.now,
  });
  return { others: nodes, time };
}

/** Whether a promise has resolved by now. */
async function isDone(promise: Promise<void>): Promise<boolean> {
  const pending = Symbol();
  const first = await Promise.race([promise, new Promise((resolve) => setImmediate(resolve, pending))]);
  return first !== pending;
}

describe('a change', () => {
  it('waits for no node that has applied it, and not for its own', async () => {
    const { others } = knowing();
    await others.waitFor(5, [rowOf(5), rowOf(1, '2026-01-01', 'a')]);
  });

  it('waits for a report', async () => {
    const { others } = knowing(rowOf(4));
    const waiting = others.waitFor(5, [rowOf(4)]);
    expect(await isDone(waiting)).toBe(false);
    others.reported('b', 5);
    await waiting;
  });

  it('knows a report that came before the row was read again', async () => {
    const { others } = knowing();
    others.note([rowOf(4)]);
    others.reported('b', 5);
    await others.waitFor(5, [rowOf(4)]);
  });

  it('waits for a lease that has run out by the clock of PostgreSQL, if it was seen running just now', async () => {
    const { others, time } = knowing(rowOf(4, '1999-01-01 00:00:00'));
    const waiting = others.waitFor(5, [rowOf(4, '1999-01-01 00:00:00')]);
    time.now = leaseMs - 1;
    others.reported('b', 4);
    expect(await isDone(waiting)).toBe(false);
    time.now = leaseMs;
    others.reported('b', 4);
    await waiting;
  });

  it('waits for no lease that has not changed for its length, however long it runs by that clock', async () => {
    const { others, time } = knowing();
    others.note([rowOf(4, '2999-01-01 00:00:00')]);
    time.now = leaseMs;
    await others.waitFor(5, [rowOf(4, '2999-01-01 00:00:00')]);
  });

  it('waits for a lease from its last prolongation on', async () => {
    const { others, time } = knowing(rowOf(4, 'second'));
    others.note([rowOf(4, 'first')]);
    time.now = leaseMs;
    expect(await isDone(others.waitFor(5, [rowOf(4, 'second')]))).toBe(false);
  });

  it('does not wait for a node that has left', async () => {
    const { others } = knowing();
    others.note([rowOf(4)]);
    await others.waitFor(5, []);
  });

  it('asks for the nodes if their rows were lost, and goes on when they are known', async () => {
    const { others, time } = knowing(rowOf(4));
    const waiting = others.waitFor(5);
    expect(await isDone(waiting)).toBe(false);
    others.reported('b', 5);
    await waiting;
    time.rows = [];
  });

  it('ends after the longest wait without PostgreSQL', async () => {
    const { others, time } = knowing(rowOf(4));
    const waiting = others.waitFor(5, [rowOf(4)]);
    // A node that goes on prolonging its lease.
    for (time.now = 0; time.now < 18_500; time.now += 2_000) others.note([rowOf(4, String(time.now))]);
    expect(await isDone(waiting)).toBe(false);
    time.now = 18_500;
    others.reported('b', 4);
    await waiting;
  });

  it('has an unknown outcome when PostgreSQL was restored, and the next one waits for the length of a lease', async () => {
    const { others, time } = knowing();
    const lost = others.waitFor(5, [rowOf(4)]);
    others.forget();
    await expect(lost).rejects.toThrow(OutcomeUnknown);
    const next = others.waitFor(3, []);
    expect(await isDone(next)).toBe(false);
    time.now = leaseMs;
    await expect.poll(() => isDone(next)).toBe(true);
  });
});
