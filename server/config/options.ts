import { availableParallelism } from 'node:os';
import { isLogLevel, logLevels } from '../base/log-level.ts';
import { isHostName, parseListenAddress, wholeNumber } from './option-checks.ts';
import { outgoingModes, parseAllowList } from './outgoing-rules.ts';

/** What the groups of options are called in `-help`, in this order. */
export const groupTitles = {
  server: 'Server',
  https: 'HTTPS and proxies',
  access: 'Access',
  needs: 'objects',
  outgoing: 'Requests to other hosts',
  content: 'First content',
  command: 'Commands that do one thing and exit',
} as const;
type OptionGroup = keyof typeof groupTitles;

export type Option =
  | { readonly name: string; readonly group: OptionGroup; readonly flag: true; readonly help: string }
  | {
      readonly name: string;
      readonly group: OptionGroup;
      readonly flag: false;
      readonly value: string;
      readonly default: string;
      readonly help: string;
      /** Says what the value must be if the value is not valid; else undefined. */
      check?(text: string): string | undefined;
    };

/** What `-front` takes. */
export const frontNames = ['auto', 'uws', 'node'] as const;

/** What `-render` takes. */
export const renderNames = ['processes', 'threads'] as const;

/**
 * All start options. Each can also be set in the environment: `-cache-mb` is `IC_CACHE_MB`.
 * A flag is set when the command line names it, or when its environment variable is `1` or `true`.
 */
export const options = [
  {
    name: 'data',
    group: 'server',
    flag: false,
    value: '<dir>',
    default: './data',
    help: 'directory of the database, keys and backups',
  },
  {
    name: 'database',
    group: 'server',
    flag: false,
    value: '<url>',
    default: '',
    help: 'postgres://...: share content with other nodes; a password belongs in IC_DATABASE or PGPASSWORD',
    check: (text) =>
      text === '' || (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text))
        ? undefined
        : 'must be an address such as postgres://user@host/database',
  },
  {
    name: 'lease',
    group: 'server',
    flag: false,
    value: '<s>',
    default: '4',
    help: 'with -database: seconds that changes wait for a node that has died, and that a node serves without the database',
    check: wholeNumber(2, 60),
  },
  {
    name: 'addr',
    group: 'server',
    flag: false,
    value: '<host:port>',
    default: '127.0.0.1:8080',
    help: 'listening address; ":8080" = all interfaces, port 0 = any free port',
    check: (text) =>
      parseListenAddress(text) === undefined ? 'must be <host>:<port>, e.g. 127.0.0.1:8080' : undefined,
  },
  {
    name: 'cache-mb',
    group: 'server',
    flag: false,
    value: '<n>',
    default: '128',
    help: 'size of the page cache in MB, 0 = off',
    check: wholeNumber(0, 1_048_576),
  },
  {
    name: 'media-cache-mb',
    group: 'server',
    flag: false,
    value: '<n>',
    default: '512',
    help: 'size of the local copies of media in object storage in MB, 0 = no copies',
    check: wholeNumber(0, 16_777_216),
  },
  {
    name: 'max-upload-mb',
    group: 'server',
    flag: false,
    value: '<n>',
    default: '256',
    help: 'largest uploaded file in MB',
    check: wholeNumber(1, 1_048_576),
  },
  {
    name: 'max-bundle-mb',
    group: 'server',
    flag: false,
    value: '<n>',
    default: '16384',
    help: 'largest bundle that is imported in MB',
    check: wholeNumber(1, 16_777_216),
  },
  {
    name: 'avif',
    group: 'server',
    flag: true,
    help: 'write variants of uploaded images in AVIF too: smaller files, much more work',
  },
  {
    name: 'no-country-sync',
    group: 'server',
    flag: true,
    help: 'never ask the registries for the countries of addresses by itself; their lists can be uploaded',
  },
  {
    name: 'rate-limit',
    group: 'access',
    flag: false,
    value: '<n>',
    default: '120',
    help: 'API requests per minute and address without login, 0 = off',
    check: wholeNumber(0, 1_000_000),
  },
  {
    name: 'workers',
    group: 'server',
    flag: false,
    value: '<n>',
    default: String(Math.max(1, availableParallelism() - 1)),
    help: 'processes that render pages',
    check: wholeNumber(1, 256),
  },
  {
    name: 'render',
    group: 'server',
    flag: false,
    value: '<name>',
    default: 'processes',
    help: 'what pages are rendered in: processes, or threads (faster, if you trust all authors of templates)',
    check: (text) =>
      renderNames.some((name) => name === text) ? undefined : `must be one of ${renderNames.join(', ')}`,
  },
  {
    name: 'front',
    group: 'server',
    flag: false,
    value: '<name>',
    default: 'auto',
    help: 'what speaks HTTP: uws (uWebSockets.js), node, or auto (uws if only this machine can connect)',
    check: (text) =>
      frontNames.some((name) => name === text) ? undefined : `must be one of ${frontNames.join(', ')}`,
  },
  {
    name: 'front-threads',
    group: 'server',
    flag: false,
    value: '<n>',
    default: '1',
    help: 'threads that answer what is cached; auto = cores; more than 1 needs -front uws',
    check: (text) => (text === 'auto' ? undefined : wholeNumber(1, 64)(text)?.concat(', or auto')),
  },
  {
    name: 'keep-alive',
    group: 'server',
    flag: false,
    value: '<s>',
    default: '10',
    help: 'seconds that a connection may be silent between requests; another value needs -front node',
    check: wholeNumber(1, 3600),
  },
  {
    name: 'header-timeout',
    group: 'server',
    flag: false,
    value: '<s>',
    default: '10',
    help: 'seconds that the head of a request may take; another value needs -front node',
    check: wholeNumber(1, 3600),
  },
  {
    name: 'body-timeout',
    group: 'server',
    flag: false,
    value: '<s>',
    default: '20',
    help: 'seconds that a body may take, and one more for every 500 bytes of it',
    check: wholeNumber(1, 3600),
  },
  {
    name: 'tls-cert',
    group: 'https',
    flag: false,
    value: '<file>',
    default: '',
    help: 'certificate chain (PEM): serve HTTPS',
  },
  {
    name: 'tls-key',
    group: 'https',
    flag: false,
    value: '<file>',
    default: '',
    help: 'private key (PEM) of the certificate',
  },
  {
    name: 'log',
    group: 'server',
    flag: false,
    value: '<level>',
    default: 'info',
    help: `lowest level that is logged: ${logLevels.join(', ')}`,
    check: (text) => (isLogLevel(text) ? undefined : `must be one of ${logLevels.join(', ')}`),
  },
  {
    name: 'secure-cookies',
    group: 'https',
    flag: true,
    help: 'send cookies over HTTPS only (behind a proxy with TLS)',
  },
  { name: 'headless', group: 'access', flag: true, help: 'no admin, no sessions: tokens only' },
  { name: 'disable-admin', group: 'access', flag: true, help: 'keep the admin off while this process runs' },
  {
    name: 'enable-admin',
    group: 'access',
    flag: true,
    help: 'switch an admin on again that was switched off',
  },
  {
    name: 'admin-host',
    group: 'access',
    flag: false,
    value: '<host>',
    default: '',
    help: 'host name that alone serves the admin and honours sessions',
    check: (text) =>
      text === '' || isHostName(text) ? undefined : 'must be a host name or an address, without a port',
  },
  {
    name: 'outgoing',
    group: 'outgoing',
    flag: false,
    value: '<mode>',
    default: 'open',
    help: 'targets of requests to other hosts: open = all, public = public addresses only, allowlist',
    check: (text) =>
      outgoingModes.some((mode) => mode === text) ? undefined : `must be one of ${outgoingModes.join(', ')}`,
  },
  {
    name: 'outgoing-allow',
    group: 'outgoing',
    flag: false,
    value: '<list>',
    default: '',
    help: 'targets for -outgoing allowlist: host, *.host or range of addresses, separated by commas',
    check: (text) =>
      parseAllowList(text) === undefined
        ? 'must be a list of host names, *.domains and ranges of addresses, e.g. api.example,*.example.org,10.0.0.0/8'
        : undefined,
  },
  {
    name: 'demo',
    group: 'content',
    flag: true,
    help: 'install the demo website into an empty data directory',
  },
  {
    name: 'create-token',
    group: 'command',
    flag: false,
    value: '<name>',
    default: '',
    help: 'print a new write token and exit',
    check: (text) => (text.length <= 200 ? undefined : 'must not be longer than 200 characters'),
  },
  {
    name: 'copy-to',
    group: 'command',
    flag: false,
    value: '<target>',
    default: '',
    help: 'copy everything to an empty database (postgres://...), or from -database to a new directory, and exit',
  },
  {
    name: 'reset-password',
    group: 'command',
    flag: false,
    value: '<username>',
    default: '',
    help: 'give a user a new password, print it and exit',
  },
  {
    name: 'reset-factors',
    group: 'command',
    flag: true,
    help: 'for -reset-password: remove second factors and recovery codes too',
  },
  {
    name: 'backup',
    group: 'command',
    flag: false,
    value: '<file>',
    default: '',
    help: 'write databases and media into a new file, also while the server runs, and exit',
  },
  {
    name: 'restore',
    group: 'command',
    flag: false,
    value: '<file>',
    default: '',
    help: 'put the state of a backup into an empty data directory and exit',
  },
  {
    name: 'force',
    group: 'command',
    flag: true,
    help: 'for -restore: replace what the data directory has',
  },
  { name: 'help', group: 'command', flag: true, help: 'print this list and exit' },
] as const satisfies readonly Option[];

export type OptionName = (typeof options)[number]['name'];
