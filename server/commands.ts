/** What the command line can ask for. Loaded by main.ts, bundled or not. */
import { createApp } from './app.ts';
import { createWriteToken } from './auth/service.ts';
import type { Config } from './config.ts';
import { openDatabases } from './db/open.ts';
import { demoUsername } from './demo/index.ts';
import { createLog } from './log.ts';

/**
 * Serves until a signal comes.
 *
 * @param workerFile path of the render worker's code
 * @throws StartupError
 */
export async function serve(config: Config, workerFile: string): Promise<void> {
  const log = await createLog(config.logLevel);
  const app = await createApp(config, log, { workerFile });
  const port = await app.listen();
  process.stdout.write(`Incipit ${app.build.version} listening on ${urlOf(config, port)}\n`);
  if (app.setupToken !== undefined) process.stdout.write(`Setup token: ${app.setupToken}\n`);
  if (app.demoPassword !== undefined)
    process.stdout.write(`Demo administrator: ${demoUsername}, password: ${app.demoPassword}\n`);

  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({}, 'stopping');
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** Prints a new write token. Works beside a running server: SQLite lets the two processes write in turn. */
export async function createToken(config: Config, name: string): Promise<void> {
  const databases = openDatabases(config.dataDir, 5000);
  try {
    process.stdout.write(`${await createWriteToken(databases.content.writer, name, Date.now)}\n`);
  } finally {
    databases.close();
  }
}

function urlOf({ address, tls }: Config, port: number): string {
  const host = address.host === '' ? '0.0.0.0' : address.host;
  return `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
