import { expect, it } from 'vitest';
import { defineRoute } from '../../server/api/route.ts';
import { newestChange } from '../../server/changes/change-log.ts';
import type { Feature, SharedServices } from '../../server/feature.ts';
import type { ViewEvent } from '../../server/http/view-event-buffer.ts';
import { startInProcess } from '../support/in-process.ts';
import { masterToken } from '../support/server.ts';

/** The order in which a server ends. */

const view: ViewEvent = {
  at: 0,
  siteId: 1,
  status: 200,
  times: 1,
  host: 'example.org',
  path: '/',
  referer: '',
  userAgent: '',
  peer: '203.0.113.1',
  forwardedFor: '',
  cookie: '',
};

it('answers requests, hands over views, closes features in their order, and then the databases', async () => {
  const events: string[] = [];
  let release = (): void => {};

  const slowFeature = ({ changes, views }: SharedServices): Feature => {
    views.consumeWith(() => events.push('views'));
    return {
      routes: [
        defineRoute({
          method: 'POST',
          path: '/slow',
          access: 'write',
          needs: 'objects',
          summary: 'Answers when it is released',
          async handle({ actor }) {
            views.push({ ...view, at: Date.now() });
            events.push('request');
            await new Promise<void>((resolve) => {
              release = resolve;
            });
            await changes.changeUnversioned(actor, async () => {});
            events.push('answer');
          },
        }),
      ],
    };
  };
  const tracedFeature = (name: string, { reader, changes }: SharedServices): Feature => ({
    async close() {
      events.push(`${name} begins`);
      await newestChange(reader);
      expect(changes.figures().waiting).toBe(0);
      await new Promise((resolve) => setTimeout(resolve, 20));
      events.push(`${name} ends`);
    },
  });

  const server = await startInProcess({
    moreFeatures: (parts) => [
      slowFeature(parts),
      tracedFeature('first', parts),
      tracedFeature('second', parts),
    ],
  });
  const call = fetch(`${server.url}/api/v1/slow`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${masterToken}` },
  });
  await expect.poll(() => events).toContain('request');
  const stopped = server.stop();
  setTimeout(() => release(), 100);
  expect((await call).status).toBe(204);
  await stopped;
  const closings = ['first begins', 'first ends', 'second begins', 'second ends'];
  // The timer of views may end while the request runs.
  expect(events.filter((event) => event !== 'views')).toEqual(['request', 'answer', ...closings]);
  expect(events.indexOf('views')).toBeGreaterThan(0);
  expect(events.indexOf('views')).toBeLessThan(events.indexOf('first begins'));
});
