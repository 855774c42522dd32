import { availableParallelism } from 'node:os';
import { isLogLevel, type LogLevel } from '../base/log-level.ts';
import { StartupError } from '../base/startup-error.ts';
import { parseListenAddress } from './option-checks.ts';
import { frontNames, type Option, type OptionName, options, renderNames } from './options.ts';
import { type OutgoingRules, outgoingModes, parseAllowList } from './outgoing-rules.ts';

/** The start options. The command line wins over the environment, the environment over the default. */
export interface Config {
  readonly dataDir: string;
  /** Address of the PostgreSQL database that nodes share; undefined: the data directory has everything. */
  readonly database: string | undefined;
  /** How long a node of a shared database may serve without hearing from it. */
  readonly leaseSeconds: number;
  /** An empty host means all interfaces, port 0 a free port that the system chooses. */
  readonly address: { readonly host: string; readonly port: number };
  /** Page cache in MB (2^20 bytes), 0 = off. */
  readonly cacheMb: number;
  /** Largest size of the local copies of media in object storage in MB, 0 = no copies are kept. */
  readonly mediaCacheMb: number;
  /** Largest uploaded file in MB (2^20 bytes). */
  readonly maxUploadMb: number;
  /** Largest bundle that is imported in MB (2^20 bytes). */
  readonly maxBundleMb: number;
  /** Whether new images get variants in AVIF. */
  readonly avif: boolean;
  /** Whether the lists of the registries are asked for by a schedule. */
  readonly countrySync: boolean;
  /** API requests per minute and client address without login, 0 = no limit. */
  readonly rateLimit: number;
  /** Processes or threads that render pages. */
  readonly workers: number;
  /** What pages are rendered in for visitors. */
  readonly render: (typeof renderNames)[number];
  /** Adds `Secure` to cookies also when the server itself speaks plain HTTP. */
  readonly secureCookies: boolean;
  /** No admin, no sessions. */
  readonly headless: boolean;
  /** The admin: `off` while this process runs, switched `on` permanently, or as the stored setting says. */
  readonly admin: 'off' | 'on' | 'asStored';
  /** The only host that serves the admin and accepts sessions, lower case, without port; undefined = any. */
  readonly adminHost: string | undefined;
  /** Targets of requests to other hosts. */
  readonly outgoing: OutgoingRules;
  /** What the process does instead of serving; then it exits. */
  readonly command: Command | undefined;
  /** Whether a restore replaces what the data directory has. */
  readonly force: boolean;
  /** Whether a reset of a password removes second factors too. */
  readonly resetFactors: boolean;
  readonly demo: boolean;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** What speaks HTTP, and how long it waits for clients. */
  readonly front: {
    readonly choice: (typeof frontNames)[number];
    /** Threads that receive requests; 1 = the main thread alone. */
    readonly threads: number;
    readonly keepAliveSeconds: number;
    readonly headerSeconds: number;
    /** Of a body; one more for every 500 bytes. */
    readonly bodySeconds: number;
  };
  readonly logLevel: LogLevel;
  /** `IC_MASTER_TOKEN`, at least 32 characters. */
  readonly masterToken: string | undefined;
  /** `IC_ENCRYPTION_KEY`, at least 32 characters: encrypts stored secrets. Undefined: a file does. */
  readonly encryptionKey: string | undefined;
  readonly help: boolean;
  /** The options as they were given, for people who look. Commands are left out. */
  readonly shown: readonly ShownOption[];
}

/** An option with its value as text; a flag is `on` or `off`. */
export interface ShownOption {
  readonly name: string;
  readonly value: string;
  /** What it is without being set. */
  readonly default: string;
  /** What it does, as `-help` says it. */
  readonly help: string;
}

/** Options that name a command. */
export type CommandName = 'create-token' | 'reset-password' | 'backup' | 'restore' | 'copy-to';

/** What each of them takes. */
const commandArguments: ReadonlyMap<CommandName, string> = new Map([
  ['create-token', 'a name for the token'],
  ['reset-password', 'a username'],
  ['backup', 'a file'],
  ['restore', 'a file'],
  ['copy-to', 'a database or a new directory'],
]);

export interface Command {
  readonly name: CommandName;
  /** Not empty. */
  readonly argument: string;
}

/** Whether cookies are sent over HTTPS only. */
export function usesSecureCookies({ secureCookies, tls }: Pick<Config, 'secureCookies' | 'tls'>): boolean {
  return secureCookies || tls !== undefined;
}

/** The scheme the server itself speaks. */
export function ownScheme({ tls }: Pick<Config, 'tls'>): 'http' | 'https' {
  return tls === undefined ? 'http' : 'https';
}

/**
 * Reads the command line (without node and script) and the environment. No other code reads them.
 *
 * @throws StartupError with one line that says what is wrong
 */
export function readConfig(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Config {
  const given = readArguments(args);
  refuseVisiblePasswords(given);
  const text = (name: OptionName): string => valueOfOption(name, given, env);
  const flag = (name: OptionName): boolean => ['1', 'true'].includes(text(name));
  /** Undefined if the option is not given; an empty variable of the environment counts as not given. */
  const optional = (name: OptionName): string | undefined =>
    given.has(name) || text(name) !== '' ? text(name) : undefined;
  const address = parseListenAddress(text('addr'));
  const logLevel = text('log');
  if (address === undefined || !isLogLevel(logLevel))
    throw new StartupError('the defaults of -addr and -log are not valid');
  return {
    dataDir: text('data'),
    database: text('database') || undefined,
    leaseSeconds: Number(text('lease')),
    address,
    cacheMb: Number(text('cache-mb')),
    mediaCacheMb: Number(text('media-cache-mb')),
    maxUploadMb: Number(text('max-upload-mb')),
    maxBundleMb: Number(text('max-bundle-mb')),
    avif: flag('avif'),
    countrySync: !flag('no-country-sync'),
    rateLimit: Number(text('rate-limit')),
    workers: Number(text('workers')),
    render: renderNames.find((name) => name === text('render')) ?? 'processes',
    secureCookies: flag('secure-cookies'),
    ...readAdmin(flag('headless'), flag('disable-admin'), flag('enable-admin')),
    adminHost: text('admin-host').toLowerCase() || undefined,
    outgoing: readOutgoing(text('outgoing'), text('outgoing-allow')),
    ...readCommand(optional, { force: flag('force'), resetFactors: flag('reset-factors') }),
    demo: flag('demo'),
    tls: readTls(text('tls-cert'), text('tls-key')),
    front: {
      choice: frontNames.find((name) => name === text('front')) ?? 'auto',
      threads: text('front-threads') === 'auto' ? availableParallelism() : Number(text('front-threads')),
      keepAliveSeconds: Number(text('keep-alive')),
      headerSeconds: Number(text('header-timeout')),
      bodySeconds: Number(text('body-timeout')),
    },
    logLevel,
    masterToken: readSecret('IC_MASTER_TOKEN', env),
    encryptionKey: readSecret('IC_ENCRYPTION_KEY', env),
    help: flag('help'),
    shown: options
      .filter(({ group }) => group !== 'command')
      .map((option) => ({
        name: option.name,
        value: option.flag ? onOff(flag(option.name)) : withoutPassword(text(option.name)),
        default: option.flag ? onOff(false) : option.default,
        help: option.help,
      })),
  };
}

function onOff(isOn: boolean): string {
  return isOn ? 'on' : 'off';
}

function readArguments(args: readonly string[]): Map<string, string> {
  const given = new Map<string, string>();
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? '';
    const [, name, inline] = /^--?([a-z][a-z-]*)(?:=([\s\S]*))?$/.exec(argument) ?? [];
    const option = options.find((candidate) => candidate.name === name);
    if (option === undefined) throw new StartupError(`unknown option ${argument} (-help lists all)`);
    if (option.flag) {
      if (inline !== undefined) throw new StartupError(`option -${option.name} takes no value`);
      given.set(option.name, '1');
    } else {
      const value = inline ?? args[++index];
      if (value === undefined)
        throw new StartupError(`option -${option.name} needs a value: ${option.value}`);
      given.set(option.name, value);
    }
  }
  return given;
}

function valueOfOption(
  name: OptionName,
  given: ReadonlyMap<string, string>,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const option: Option | undefined = options.find((candidate) => candidate.name === name);
  if (option === undefined) throw new StartupError(`unknown option -${name}`);
  const variable = `IC_${name.replaceAll('-', '_').toUpperCase()}`;
  const value = given.get(name) ?? env[variable];
  if (value === undefined) return option.flag ? '' : option.default;
  const source = given.has(name) ? `option -${name}` : `environment variable ${variable}`;
  if (option.flag) {
    if (!['', '0', '1', 'true', 'false'].includes(value))
      throw new StartupError(`${source} must be 1 or 0, not ${quote(value)}`);
    return value;
  }
  const problem = option.check?.(value);
  if (problem !== undefined)
    throw new StartupError(`${source} ${problem}${mayHoldPassword(name) ? '' : `, not ${quote(value)}`}`);
  return value;
}

/** A value in a message of one line. */
function quote(value: string): string {
  return JSON.stringify(value.length > maxQuoted ? `${value.slice(0, maxQuoted)}…` : value);
}

const maxQuoted = 200;

/** Options that take the address of a database. */
const databaseOptions = ['database', 'copy-to'] as const;

function mayHoldPassword(name: OptionName): boolean {
  return databaseOptions.some((option) => option === name);
}

/** Command lines are visible to others, so they may hold no password. */
function refuseVisiblePasswords(given: ReadonlyMap<string, string>): void {
  for (const name of databaseOptions)
    if (passwordIn(given.get(name) ?? '') !== '')
      throw new StartupError(
        `option -${name} must not hold a password: use IC_${name.replace('-', '_').toUpperCase()} or PGPASSWORD`,
      );
}

function passwordIn(address: string): string {
  if (!URL.canParse(address)) return '';
  const { password, searchParams } = new URL(address);
  return password || (searchParams.get('password') ?? '');
}

/** An address as others may see it. */
function withoutPassword(address: string): string {
  if (passwordIn(address) === '') return address;
  const url = new URL(address);
  url.password = '';
  url.searchParams.delete('password');
  return url.href;
}

function readAdmin(headless: boolean, off: boolean, on: boolean): Pick<Config, 'headless' | 'admin'> {
  if (on && (off || headless))
    throw new StartupError(`-enable-admin contradicts ${off ? '-disable-admin' : '-headless'}`);
  return { headless, admin: off ? 'off' : on ? 'on' : 'asStored' };
}

function readOutgoing(name: string, list: string): OutgoingRules {
  const mode = outgoingModes.find((known) => known === name) ?? 'open';
  if (mode !== 'allowlist' && list !== '')
    throw new StartupError(
      `-outgoing-allow counts for -outgoing allowlist only, not for ${mode}: ${quote(list)}`,
    );
  return { mode, allow: parseAllowList(list) ?? [] };
}

/** @param optional value of an option; undefined if it is not given */
function readCommand(
  optional: (name: CommandName) => string | undefined,
  { force, resetFactors }: Pick<Config, 'force' | 'resetFactors'>,
): Pick<Config, 'command' | 'force' | 'resetFactors'> {
  const [given, other] = [...commandArguments.keys()].flatMap((name) => {
    const argument = optional(name);
    return argument === undefined ? [] : [{ name, argument }];
  });
  if (given !== undefined && other !== undefined)
    throw new StartupError(`-${given.name} and -${other.name} are different commands: use one of them`);
  if (given?.argument.trim() === '')
    throw new StartupError(`option -${given.name} needs ${commandArguments.get(given.name)}`);
  if (force && given?.name !== 'restore') throw new StartupError('-force works only together with -restore.');
  if (resetFactors && given?.name !== 'reset-password')
    throw new StartupError('-reset-factors works only together with -reset-password.');
  return { command: given, force, resetFactors };
}

function readTls(certFile: string, keyFile: string): Config['tls'] {
  if (certFile === '' && keyFile === '') return undefined;
  if (certFile === '' || keyFile === '')
    throw new StartupError(
      `-tls-cert and -tls-key belong together, and only ${certFile === '' ? `-tls-key ${quote(keyFile)}` : `-tls-cert ${quote(certFile)}`} is given`,
    );
  return { certFile, keyFile };
}

/** A secret that only the environment can hold, because command lines are visible to others. */
function readSecret(
  name: 'IC_MASTER_TOKEN' | 'IC_ENCRYPTION_KEY',
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const value = env[name];
  if (value === undefined || value === '') return undefined;
  if (value.length < 32) throw new StartupError(`${name} is shorter than 32 characters`);
  return value;
}
