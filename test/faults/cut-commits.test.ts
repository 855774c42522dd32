import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/api.ts';
import { postgresFolder } from '../support/postgres.ts';
import { connections, NodeGroup, type ProxiedNode, statements } from '../support/proxied-nodes.ts';
import {
  countEverywhere,
  countInPostgres,
  expectWhole,
  importRows,
  makeCollection,
  rowCount,
} from '../support/several-parts.ts';
import type { ArmedFault } from '../support/statement-faults.ts';

/**
 * An import of several parts whose connection is cut at any moment: all of its rows are there, or none; whoever is
 * told that they are sees them on the other node, which can go on.
 */

const application = connections.contentWriter;
/** By then a change is answered or refused, in milliseconds. */
const answerMs = 30_000;

interface Case {
  readonly name: string;
  arm(node: ProxiedNode): ArmedFault;
  /** Whether the rows must be there; default: all or none, because the node may send them again. */
  readonly isCommitted?: true;
}

const cases: readonly Case[] = [
  {
    name: 'after the lock, while the change runs',
    arm: ({ proxy }) => proxy.at({ application, statement: statements.lock }).cutAfterDelivery(),
  },
  {
    name: 'after the first part',
    arm: ({ proxy }) => proxy.at({ application, statement: statements.firstPart }).cutAfterDelivery(),
  },
  {
    name: 'between two parts',
    arm: ({ proxy }) => proxy.at({ application, statement: statements.secondPart }).cutBefore(),
  },
  {
    name: 'while PostgreSQL stores a part',
    arm: ({ proxy }) => proxy.at({ application, statement: statements.secondPart }).cutAfterForward(),
  },
  {
    name: 'right before COMMIT',
    arm: ({ proxy }) => proxy.at({ application, statement: statements.commit }).cutBefore(),
  },
  {
    name: 'right after COMMIT was sent',
    arm: ({ proxy }) => proxy.at({ application, statement: statements.commit }).cutAfterForward(),
    isCommitted: true,
  },
  {
    name: 'right after COMMIT has happened',
    arm: ({ proxy }) => proxy.at({ application, statement: statements.commit }).cutAfterAnswer(),
    isCommitted: true,
  },
  {
    name: 'by an end that comes instead of the answer to COMMIT',
    arm: ({ proxy }) => proxy.at({ application, statement: statements.commit }).halfClose(),
    isCommitted: true,
  },
];

describe.skipIf(postgresFolder === undefined)('an import of several parts', () => {
  let group: NodeGroup;

  beforeAll(async () => {
    group = await NodeGroup.start();
  });
  afterAll(() => group?.close(), 60_000);
  afterEach(() => group.mend(), 60_000);

  it.each(cases)(
    'is there as a whole or not at all when its connection is cut $name',
    async ({ arm, isCommitted }) => {
      const { one, two } = group;
      const slug = await makeCollection(two);
      const fault = arm(one);
      const status = await importRows(one, slug);
      await fault.happened();
      await expectWhole(group, slug, status);
      const wanted = isCommitted === true ? [rowCount] : [0, rowCount];
      expect(wanted).toContain(await countInPostgres(group, slug));

      const start = performance.now();
      const next = await call(two, 'POST', `/collections/${slug}/items`, {
        body: { data: { title: 'next' } },
      });
      expect(next.status).toBe(201);
      expect(performance.now() - start).toBeLessThan(answerMs);
      expect(new Set(await countEverywhere(group, slug)).size).toBe(1);
      expect(new Set(Object.values(await group.contentVersions())).size).toBe(1);
    },
  );
});
