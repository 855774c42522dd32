import { availableParallelism } from 'node:os';
import { StartupError } from './startup-error.ts';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** What the process was asked to do: command line over environment over default. */
export interface Config {
  readonly dataDir: string;
  /** Empty host: all interfaces. Port 0: any free one. */
  readonly address: { readonly host: string; readonly port: number };
  /** Page cache in MB (2^20 bytes), 0 = off. */
  readonly cacheMb: number;
  /** API requests per minute and client address without login, 0 = no limit. */
  readonly rateLimit: number;
  readonly workers: number;
  /** Adds `Secure` to cookies also when the server itself speaks plain HTTP. */
  readonly secureCookies: boolean;
  /** No admin, no sessions. */
  readonly headless: boolean;
  /** What the start says about the admin: off while this process runs, on again for good, or as it was left. */
  readonly admin: 'off' | 'on' | 'asStored';
  /** The only host that serves the admin and honours sessions, lower case, without port; undefined = any. */
  readonly adminHost: string | undefined;
  /** Name of the token to create instead of serving. */
  readonly createToken: string | undefined;
  readonly demo: boolean;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  readonly logLevel: LogLevel;
  /** `IC_MASTER_TOKEN`, at least 32 characters. */
  readonly masterToken: string | undefined;
  readonly help: boolean;
}

type Option =
  | { readonly name: string; readonly flag: true; readonly help: string }
  | {
      readonly name: string;
      readonly flag: false;
      readonly value: string;
      readonly default: string;
      readonly help: string;
      /** What a value must be, when it is not. */
      check?(text: string): string | undefined;
    };

/**
 * Every start option (open points 1). Each has an environment twin: `-cache-mb` is `IC_CACHE_MB`.
 * Flags are set by their mere presence, or by `1` or `true` in the environment.
 */
const options = [
  {
    name: 'data',
    flag: false,
    value: '<dir>',
    default: './data',
    help: 'directory of the database, keys and backups',
  },
  {
    name: 'addr',
    flag: false,
    value: '<host:port>',
    default: '127.0.0.1:8080',
    help: 'listening address; ":8080" = all interfaces, port 0 = any free port',
    check: (text) =>
      parseAddress(text) === undefined ? 'must be <host>:<port>, e.g. 127.0.0.1:8080' : undefined,
  },
  {
    name: 'cache-mb',
    flag: false,
    value: '<n>',
    default: '128',
    help: 'size of the page cache in MB, 0 = off',
    check: wholeNumber(0, 1_048_576),
  },
  {
    name: 'rate-limit',
    flag: false,
    value: '<n>',
    default: '120',
    help: 'API requests per minute and address without login, 0 = off',
    check: wholeNumber(0, 1_000_000),
  },
  {
    name: 'workers',
    flag: false,
    value: '<n>',
    default: String(Math.max(1, availableParallelism() - 1)),
    help: 'threads that render pages',
    check: wholeNumber(1, 256),
  },
  {
    name: 'tls-cert',
    flag: false,
    value: '<file>',
    default: '',
    help: 'certificate chain (PEM): serve HTTPS',
  },
  {
    name: 'tls-key',
    flag: false,
    value: '<file>',
    default: '',
    help: 'private key (PEM) of the certificate',
  },
  {
    name: 'log',
    flag: false,
    value: '<level>',
    default: 'info',
    help: `lowest level that is logged: ${logLevels.join(', ')}`,
    check: (text) => (isLogLevel(text) ? undefined : `must be one of ${logLevels.join(', ')}`),
  },
  { name: 'secure-cookies', flag: true, help: 'send cookies over HTTPS only (behind a proxy with TLS)' },
  { name: 'headless', flag: true, help: 'no admin, no sessions: tokens only' },
  { name: 'disable-admin', flag: true, help: 'keep the admin off while this process runs' },
  { name: 'enable-admin', flag: true, help: 'switch an admin on again that was switched off' },
  {
    name: 'admin-host',
    flag: false,
    value: '<host>',
    default: '',
    help: 'host name that alone serves the admin and honours sessions',
    check: (text) =>
      text === '' || isHostName(text) ? undefined : 'must be a host name or an address, without a port',
  },
  { name: 'demo', flag: true, help: 'install the demo website into an empty data directory' },
  {
    name: 'create-token',
    flag: false,
    value: '<name>',
    default: '',
    help: 'print a new write token and exit',
    check: (text) => (text.length <= 200 ? undefined : 'must not be longer than 200 characters'),
  },
  { name: 'help', flag: true, help: 'print this list and exit' },
] as const satisfies readonly Option[];

type OptionName = (typeof options)[number]['name'];

/**
 * Reads the command line (without node and script) and the environment; the only place that does.
 *
 * @throws StartupError with one line that says what is wrong
 */
export function readConfig(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Config {
  const given = readArguments(args);
  const text = (name: OptionName): string => valueOfOption(name, given, env);
  const flag = (name: OptionName): boolean => ['1', 'true'].includes(text(name));
  const address = parseAddress(text('addr'));
  const logLevel = text('log');
  if (address === undefined || !isLogLevel(logLevel))
    throw new StartupError('the defaults of -addr and -log are not valid');
  return {
    dataDir: text('data'),
    address,
    cacheMb: Number(text('cache-mb')),
    rateLimit: Number(text('rate-limit')),
    workers: Number(text('workers')),
    secureCookies: flag('secure-cookies'),
    ...readAdmin(flag('headless'), flag('disable-admin'), flag('enable-admin')),
    adminHost: text('admin-host').toLowerCase() || undefined,
    createToken:
      given.has('create-token') || text('create-token') !== ''
        ? requireName(text('create-token'))
        : undefined,
    demo: flag('demo'),
    tls: readTls(text('tls-cert'), text('tls-key')),
    logLevel,
    masterToken: readMasterToken(env['IC_MASTER_TOKEN']),
    help: flag('help'),
  };
}

/** The list of options for `-help`. */
export function helpText(): string {
  const lines = options.map((option) => {
    const usage = option.flag ? `-${option.name}` : `-${option.name} ${option.value}`;
    const fallback = option.flag || option.default === '' ? '' : ` (default ${option.default})`;
    return `  ${usage.padEnd(24)}${option.help}${fallback}`;
  });
  return [
    'Usage: incipit [options]',
    '',
    ...lines,
    '',
    'Every option can be set as IC_<NAME> in the environment.',
  ].join('\n');
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
    if (!['', '0', '1', 'true', 'false'].includes(value)) throw new StartupError(`${source} must be 1 or 0`);
    return value;
  }
  const problem = option.check?.(value);
  if (problem !== undefined) throw new StartupError(`${source} ${problem}`);
  return value;
}

function parseAddress(text: string): { host: string; port: number } | undefined {
  const [, name, bracketed, digits] = /^(?:([^\s:[\]]*)|\[([\da-fA-F:.]+)\]):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65535) return undefined;
  return { host: bracketed ?? name ?? '', port };
}

function wholeNumber(min: number, max: number): (text: string) => string | undefined {
  return (text) =>
    /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max
      ? undefined
      : `must be a whole number from ${min} to ${max}`;
}

function isHostName(text: string): boolean {
  return /^(?:[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?|\[[\da-f:.]{2,45}\])$/i.test(text);
}

function readAdmin(headless: boolean, off: boolean, on: boolean): Pick<Config, 'headless' | 'admin'> {
  if (on && (off || headless))
    throw new StartupError(`-enable-admin contradicts ${off ? '-disable-admin' : '-headless'}`);
  return { headless, admin: off ? 'off' : on ? 'on' : 'asStored' };
}

function isLogLevel(text: string): text is LogLevel {
  return logLevels.some((level) => level === text);
}

function requireName(name: string): string {
  if (name.trim() === '') throw new StartupError('option -create-token needs a name for the token');
  return name;
}

function readTls(certFile: string, keyFile: string): Config['tls'] {
  if (certFile === '' && keyFile === '') return undefined;
  if (certFile === '' || keyFile === '') throw new StartupError('-tls-cert and -tls-key belong together');
  return { certFile, keyFile };
}

function readMasterToken(token: string | undefined): string | undefined {
  if (token === undefined || token === '') return undefined;
  if (token.length < 32) throw new StartupError('IC_MASTER_TOKEN is shorter than 32 characters');
  return token;
}
