import { callOk } from './api.ts';
import type { TestServer } from './server.ts';

/** Lets the editors of the admin save live, for journeys that look at what a save does. */
export async function saveLive(server: Pick<TestServer, 'url'>): Promise<void> {
  await callOk(server, 'PUT', '/system', { live_saves: true });
}
