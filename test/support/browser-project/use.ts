import { cpSync, rmSync } from 'node:fs';
import { inject } from 'vitest';
import type { DemoServer } from '../demo.ts';
import { makeTempDir, startServer } from '../server.ts';

/** Starts a server with its own copy of the demo website that the project has installed. */
export async function startDemo(): Promise<DemoServer> {
  const { dataDir: source, password } = inject('demo');
  const dataDir = makeTempDir();
  cpSync(source, dataDir, { recursive: true });
  // Sources of the demo that ask their own server get its address.
  const server = await startServer({ dataDir, args: ['-demo'] });
  return {
    ...server,
    password,
    async stop() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
