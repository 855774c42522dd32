import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOk } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { until } from '../support/nodes.ts';
import { postgresFolder } from '../support/postgres.ts';
import { NodeGroup, saveTitle, shownTitle, titleTemplate } from '../support/proxied-nodes.ts';

/** A node whose process stands still for longer than its lease, and then goes on, shows nothing old. */

describe.skipIf(postgresFolder === undefined)('a node that was paused', () => {
  describe.each([
    ['one thread', []],
    ['several front threads', ['-front-threads', '2']],
  ])('with %s', (_name, args) => {
    let group: NodeGroup;
    let page: number;

    beforeAll(async () => {
      group = await NodeGroup.start({ args });
      const home = await createSite(group.one);
      page = await createPage(group.one, home, {
        slug: 'p',
        title: '0',
        published: true,
        html: titleTemplate,
      });
    });
    afterAll(() => group?.close(), 60_000);

    it('shows what others have saved meanwhile, or nothing', async () => {
      const { one, two } = group;
      // What a page cache, a thread and a cache of JSON hold.
      for (let round = 0; round < 20; round++) await shownTitle(two, '/p');
      await callOk(two, 'GET', `/pages/${page}`);
      process.kill(two.server.pid, 'SIGSTOP');
      const early = Array.from({ length: 5 }, () => shownTitle(two, '/p'));
      try {
        expect(await saveTitle(one, page, '1')).toBe('200');
      } finally {
        process.kill(two.server.pid, 'SIGCONT');
      }
      const seen = new Set<string>();
      const look = async (): Promise<string> => {
        const shown = await shownTitle(two, '/p');
        seen.add(shown);
        return shown;
      };
      await until(async () => (await look()) === '1');
      for (let round = 0; round < 20; round++) await look();
      // The requests that were sent while it was paused began before the save was answered, but not their answers.
      for (const shown of await Promise.all(early)) seen.add(shown);
      const others = [...seen].filter((shown) => shown !== '1');
      expect(others.filter((shown) => !shown.startsWith('503 '))).toEqual([]);
    });
  });
});
