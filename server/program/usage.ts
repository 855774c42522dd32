/** The commands of `incipit`, their options, and what they are for. `arguments.ts` reads the command line by it. */

export interface OptionUsage {
  /** What a value is called in the help; absent: the option is a flag. */
  readonly value?: string;
  readonly help: string;
}

export interface CommandUsage {
  readonly help: string;
  readonly folder: 'needed' | 'optional' | 'none';
  readonly options: Readonly<Record<string, OptionUsage>>;
}

const json = { help: 'print one JSON document instead of text' };
const server = {
  remote: { value: '<url>', help: 'address of the server; default: the one that .incipit/ remembers' },
  token: { value: '<token>', help: 'token of the server; better: the variable INCIPIT_TOKEN' },
  site: { value: '<domain>', help: 'a domain of the website, if the server has several websites' },
};

export const commands = {
  init: {
    help: 'write a new website into an empty folder',
    folder: 'needed',
    options: { starter: { value: '<name>', help: 'what to begin with' }, json },
  },
  dev: {
    help: 'show a folder in the browser while you edit it',
    folder: 'optional',
    options: {
      port: { value: '<n>', help: 'port; default: 4400, or the next free one' },
      host: { value: '<host>', help: 'address to listen on; default: 127.0.0.1' },
      open: { help: 'open the browser' },
      ...server,
      remote: { value: '<url>', help: 'show the folder over the content of this server, for you alone' },
    },
  },
  check: {
    help: 'report what is wrong in a folder',
    folder: 'optional',
    options: { fix: { help: 'write the files in their canonical form' }, json },
  },
  pull: {
    help: 'bring what has changed on a server into a folder',
    folder: 'optional',
    options: {
      ...server,
      mark: { help: 'write conflicts into the files, with marks' },
      'no-private': { help: 'leave private files out' },
      json,
    },
  },
  push: {
    help: 'send what has changed in a folder to a server',
    folder: 'optional',
    options: {
      ...server,
      release: { value: '<name>', help: 'leave the changes as a release instead of publishing them' },
      yes: { help: 'delete without asking' },
      force: { help: 'send changed files that have findings' },
      json,
    },
  },
  diff: {
    help: 'show what differs between a folder and a server',
    folder: 'optional',
    options: { ...server, json },
  },
  types: {
    help: 'write TypeScript for the entries of /data, from a folder or a server',
    folder: 'optional',
    options: {
      out: { value: '<file>', help: 'file to write; default: standard output' },
      remote: { value: '<url>', help: 'take the collections of this server' },
      token: server.token,
    },
  },
  lsp: {
    help: 'language server for editors, on standard input and output',
    folder: 'none',
    options: { stdio: { help: 'taken for editors that send it; there is no other way' } },
  },
} as const satisfies Readonly<Record<string, CommandUsage>>;

export type ProgramCommandName = keyof typeof commands;

/** The text of `incipit --help`. */
export function formatHelp(): string {
  const lines = Object.entries(commands).flatMap(([name, usage]) => [
    '',
    `  ${[name, ...folderText(usage)].join(' ').padEnd(24)}${usage.help}`,
    ...Object.entries<OptionUsage>(usage.options).map(
      ([option, { value, help }]) =>
        `    ${`--${option}${value === undefined ? '' : ` ${value}`}`.padEnd(22)}${help}`,
    ),
  ]);
  return [
    'incipit <command>: a website as a folder of text files, and the server for it',
    '',
    '  start [options]         start the server; `incipit start -help` lists its options',
    ...lines,
    '',
    '  --version               print the version',
    '',
    'The folder is by default the working directory. Exit codes: 0 done or no difference; 1 findings,',
    'differences or conflicts; 2 wrong use; 3 an answer is needed; 4 server not reached, or it refused.',
  ].join('\n');
}

function folderText({ folder }: CommandUsage): readonly string[] {
  return folder === 'none' ? [] : [folder === 'needed' ? '<folder>' : '[folder]'];
}
