import { createApp } from './app.ts';
import { createWriteToken } from './auth/service.ts';
import { type Config, helpText, readConfig } from './config.ts';
import { openDatabases } from './db/open.ts';
import { createLog } from './log.ts';
import { StartupError } from './startup-error.ts';

/** The command line: serves, or does the one thing an option asks for. Ends with 1 and one line when it cannot. */
async function main(): Promise<void> {
  const config = readConfig(process.argv.slice(2), process.env);
  if (config.help) console.log(helpText());
  else if (config.createToken !== undefined) await createToken(config, config.createToken);
  else await serve(config);
}

async function serve(config: Config): Promise<void> {
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
