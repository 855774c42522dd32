/** The commands of the command line. main.ts loads this file from the bundle or from the sources. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from './app.ts';
import { createLog } from './base/log.ts';
import { StartupError } from './base/startup-error.ts';
import { newestChange } from './changes/change-log.ts';
import { Changes } from './changes/changes.ts';
import { ContentVersion } from './changes/content-version.ts';
import { copyInstance } from './cluster/copy.ts';
import { replicaFolder } from './cluster/index.ts';
import { openStores } from './cluster/stores.ts';
import type { EntryFiles } from './config/build/program-files.ts';
import { readBuildInfo } from './config/build-info.ts';
import type { Command, CommandName, Config } from './config/config.ts';
import { Passwords } from './features/auth/password.ts';
import { resetPassword } from './features/auth/reset-password.ts';
import { createWriteToken } from './features/auth/tokens.ts';
import { writeBackup } from './features/backup/backup.ts';
import { restoreBackup } from './features/backup/restore.ts';
import { demoUsername } from './features/demo/index.ts';

/**
 * Serves until a signal comes.
 *
 * @param files paths of the code of the worker processes
 * @throws StartupError
 */
export async function serve(
  config: Config,
  { worker, images, parser, thread, statistics, sandbox }: Omit<EntryFiles, 'server'>,
): Promise<void> {
  const log = await createLog(config.logLevel);
  const app = await createApp(config, log, {
    workerFile: worker,
    imageWorkerFile: images,
    parserFile: parser,
    threadFile: thread,
    statisticsFile: statistics,
    sandboxFile: sandbox,
    onFatal(error) {
      log.error({}, error.message);
      process.exitCode = 1;
      process.kill(process.pid, 'SIGTERM');
    },
  });
  const port = await app.listen();
  // Only now, because a start that fails earlier would install the website and never print the password.
  const demo = config.demo ? await app.installDemo(urlOf(config, port)) : undefined;
  process.stdout.write(`Incipit ${app.build.version} listening on ${urlOf(config, port)}\n`);
  const setupToken = await app.setupToken();
  if (setupToken !== undefined) process.stdout.write(`Setup token: ${setupToken}\n`);
  if (demo?.password !== undefined)
    process.stdout.write(`Demo administrator: ${demoUsername}, password: ${demo.password}\n`);
  if (demo?.installed === false) {
    const changed = demo.movedSources === 0 ? 'nothing' : 'only the address at which its own source asks';
    process.stdout.write(
      `-demo changed ${changed}: the data directory ${config.dataDir} has content already\n`,
    );
  }
  if (setupToken !== undefined || demo?.password !== undefined || demo?.signInAs !== undefined)
    process.stdout.write(`Admin: ${urlOf(config, port)}/cms-admin/\n`);
  if (demo?.signInAs !== undefined) {
    const reset = `npm start -- -data ${config.dataDir} -reset-password ${demo.signInAs}`;
    process.stdout.write(`Log in as ${demo.signInAs} with your password; for a new one: ${reset}\n`);
  }

  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({}, 'stopping');
    app.close().then(
      () => process.exit(),
      (error: unknown) => {
        log.error({ err: error }, 'the shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

const commands: Readonly<Record<CommandName, (config: Config, argument: string) => Promise<void>>> = {
  'create-token': printNewToken,
  'reset-password': printNewPassword,
  backup: backUp,
  restore,
  'copy-to': copyTo,
};

/** Runs one command to its end. @throws StartupError */
export async function run(config: Config, { name, argument }: Command): Promise<void> {
  await commands[name](config, argument);
}

/** Copies the instance to a database, or back to a data directory. @throws StartupError */
async function copyTo(config: Config, target: string): Promise<void> {
  const { rows, tables, hash } = await copyInstance(config, target);
  process.stdout.write(`Copied ${rows} rows of ${tables} tables; read again, they are the same: ${hash}\n`);
  process.stdout.write('Files are not copied: media, secret.key and backups stay in the data directory\n');
}

/** Prints a new write token. Works while a server is running: the two processes write in turn. */
async function printNewToken(config: Config, name: string): Promise<void> {
  const token = await changeOnce(config, (changes) =>
    changes.changeUnversioned({ kind: 'none' }, ({ tx }) => createWriteToken(tx, name, Date.now)),
  );
  process.stdout.write(`${token}\n`);
}

/**
 * Prints a new password of a user and ends the user's sessions. Works while a server is running.
 *
 * @throws StartupError
 */
async function printNewPassword(config: Config, name: string): Promise<void> {
  if (config.database === undefined && !existsSync(join(config.dataDir, 'content.db')))
    throw new StartupError(`there is no database in the data directory ${config.dataDir}`);
  const { username, password } = await changeOnce(config, (changes) =>
    resetPassword({ changes, passwords: new Passwords() }, name, config.resetFactors),
  );
  process.stdout.write(`New password for ${username}: ${password}\n`);
}

/** Runs one change of an instance, beside a server or without one. @throws StartupError */
async function changeOnce<T>(config: Config, work: (changes: Changes) => Promise<T>): Promise<T> {
  const log = await createLog(config.logLevel);
  // Beside a node, whose replica only the node itself changes.
  const own = config.database === undefined ? undefined : mkdtempSync(join(tmpdir(), 'incipit-command-'));
  const dataDir = own ?? config.dataDir;
  const program = readBuildInfo().version;
  try {
    const { content, cluster, close } = await openStores(
      { ...config, dataDir },
      { log, program, busyTimeoutMs: 5000 },
    );
    const { writer } = content;
    try {
      const version = new ContentVersion(await newestChange(writer));
      return await work(new Changes({ writer, version, clock: Date.now, log, order: cluster }));
    } finally {
      await close();
    }
  } finally {
    if (own !== undefined) rmSync(own, { recursive: true, force: true });
  }
}

/** Writes a backup. Works while a server is running. @throws StartupError */
async function backUp(config: Config, file: string): Promise<void> {
  refuseOnNode(config);
  const ended = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => ended.abort());
  const { bytes, media, missing, secrets } = await writeBackup(config, file, ended.signal);
  for (const path of missing)
    warn(`the media storage has no bytes of ${JSON.stringify(path)}: it is not in the backup`);
  process.stdout.write(`Backup ${file}: ${media} media, ${bytes} bytes\n`);
  if (secrets !== 'none')
    process.stdout.write(`${keyTexts[secrets]} is not in it: keep it in another place\n`);
}

/** @throws StartupError if the data directory belongs to a node of several, which has only a replica */
function refuseOnNode({ database, dataDir }: Config): void {
  if (database === undefined && !existsSync(join(dataDir, replicaFolder))) return;
  throw new StartupError(
    '-backup and -restore are for an instance on one machine: back up the database of several nodes with its own means, such as pg_dump',
  );
}

/** Restores a backup into a data directory that no server uses. @throws StartupError */
async function restore(config: Config, file: string): Promise<void> {
  refuseOnNode(config);
  const { manifest, media } = await restoreBackup(config, file);
  const { missing, secrets } = manifest;
  if (missing > 0) warn(`files that had no bytes when the backup was made: ${missing}`);
  const hasKey = config.encryptionKey !== undefined || existsSync(join(config.dataDir, 'secret.key'));
  if (secrets !== 'none' && !hasKey) warn(`stored secrets cannot be read: ${keyTexts[secrets]} is missing`);
  const madeAt = new Date(manifest.created_at * 1000).toISOString();
  process.stdout.write(`Restored the backup of ${madeAt} into ${config.dataDir}: ${media} media\n`);
}

const keyTexts = {
  file: 'The key of stored secrets, the file secret.key in the data directory,',
  variable: 'The key of stored secrets, the variable IC_ENCRYPTION_KEY,',
} as const;

function warn(text: string): void {
  process.stderr.write(`incipit: ${text}\n`);
}

function urlOf({ address, tls }: Config, port: number): string {
  const host = address.host === '' ? '0.0.0.0' : address.host;
  return `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
