import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fault, faults, NodesUnderLoad } from '../support/node-faults.ts';
import { emptyFindings } from '../support/node-load.ts';
import { postgresFolder } from '../support/postgres.ts';

/**
 * What several nodes promise while one of them, its connection or PostgreSQL fails: no answered change is lost, nobody
 * is shown the state before one, and all nodes serve again soon. `npm run bench -- cluster-faults` runs many rounds.
 */

/** By then all nodes serve after a fault is over; on a machine that does other work too it may take longer. */
const healMs = 30_000;

describe.skipIf(postgresFolder === undefined)('three nodes under load', () => {
  let load: NodesUnderLoad;

  beforeAll(async () => {
    load = await NodesUnderLoad.start({ pausedMs: 5_000, slowMs: 1_000, isLarge: false, seed: 1 });
  });
  afterAll(async () => {
    await load?.close();
  });

  it.each(faults)('show nothing stale and go on after: %s', async (fault: Fault) => {
    const result = await load.round(fault);
    expect(result.findings).toEqual(emptyFindings());
    expect(result.saves).toBeGreaterThan(0);
    expect(result.reads).toBeGreaterThan(0);
    expect(result.healMs).toBeLessThan(healMs);
  });

  it('have lost no answered save, and agree', async () => {
    expect((await load.end()).findings).toEqual(emptyFindings());
  });
});
