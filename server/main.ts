import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { type Config, helpText, readConfig } from './config.ts';
import { StartupError } from './startup-error.ts';

/** The command line: serves, or does the one thing an option asks for. Ends with 1 and one line when it cannot. */
async function main(): Promise<void> {
  const config = readConfig(process.argv.slice(2), process.env);
  if (config.help) console.log(helpText());
  else if (config.createToken !== undefined) await createToken(config, config.createToken);
  else await serve(config);
}

/**
 * Everything else is loaded when it is clear what is wanted: a wrong option is answered at once, and the code that
 * is loaded comes from a cache beside the data, already stripped of types and compiled.
 */
async function serve(config: Config): Promise<void> {
  enableCompileCache(join(config.dataDir, 'cache', 'code'));
  const [{ createApp }, { createLog }] = await Promise.all([import('./app.ts'), import('./log.ts')]);
  const log = await createLog(config.logLevel);
  const app = await createApp(config, log);
  const port = await app.listen();
  console.log(`Incipit ${app.build.version} listening on ${urlOf(config, port)}`);

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

/** Works beside a running server: SQLite lets the two processes write in turn. */
async function createToken(config: Config, name: string): Promise<void> {
  const { createWriteToken } = await import('./auth/service.ts');
  const { openDatabases } = await import('./db/open.ts');
  const databases = openDatabases(config.dataDir, 5000);
  try {
    console.log(await createWriteToken(databases.content.writer, name, Date.now));
  } finally {
    databases.close();
  }
}

function urlOf({ address, tls }: Config, port: number): string {
  const host = address.host === '' ? '0.0.0.0' : address.host;
  return `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

main().catch((error: unknown) => {
  console.error(error instanceof StartupError ? `incipit: ${error.message}` : error);
  process.exit(1);
});
