import { rmSync } from 'node:fs';
import { type App, type AppOptions, createApp } from '../../server/app.ts';
import { readConfig } from '../../server/config/config.ts';
import { appFiles } from './entry-files.ts';
import { recordingLog } from './quiet-log.ts';
import { makeTempDir, masterToken } from './server.ts';
import { sharedDatabaseEnv } from './shared-database.ts';

export interface InProcessServer {
  /** Without a trailing slash. */
  readonly url: string;
  readonly port: number;
  readonly app: App;
  stop(): Promise<void>;
}

export interface InProcessOptions extends AppOptions {
  /** Further options of the command line. */
  readonly args?: readonly string[];
  /** Called with the new data directory before the server opens it. */
  readonly prepare?: (dataDir: string) => void;
}

/** Starts the server inside the test's process, so that a test can give it a clock or more features. */
export async function startInProcess({
  prepare,
  args: more = [],
  ...options
}: InProcessOptions = {}): Promise<InProcessServer> {
  const dataDir = makeTempDir();
  prepare?.(dataDir);
  const args = [
    '-data',
    dataDir,
    '-addr',
    '127.0.0.1:0',
    '-workers',
    '1',
    '-rate-limit',
    '0',
    '-no-country-sync',
    ...more,
  ];
  const env = { IC_MASTER_TOKEN: masterToken, ...(await sharedDatabaseEnv(dataDir)) };
  const app = await createApp(readConfig(args, env), recordingLog(), { ...appFiles, ...options });
  const port = await app.listen();
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    app,
    async stop() {
      await app.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
