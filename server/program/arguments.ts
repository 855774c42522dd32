/** Reads the command line of `incipit`. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { nearest } from '../../grammar/suggest.ts';
import { ProgramError } from './program-error.ts';
import { type CommandUsage, commands, type ProgramCommandName } from './usage.ts';

export interface ProgramArguments {
  readonly command: ProgramCommandName;
  /** Absolute path. */
  readonly folder: string;
  readonly options: Options;
}

export interface Options {
  /** The value of an option; undefined if it is not given. */
  text(name: string): string | undefined;
  /** Whether a flag is given. */
  has(name: string): boolean;
  /** `--token`, else the variable `INCIPIT_TOKEN`. */
  readonly token: string | undefined;
}

/** @throws ProgramError with the exit code 2 */
export function readArguments(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  workingDirectory: string,
): ProgramArguments {
  const [name = '', ...rest] = args;
  const command = requireCommand(name);
  const usage: CommandUsage = commands[command];
  const { values, positionals } = parseRest(rest, usage);
  const isTooMany = positionals.length > (usage.folder === 'none' ? 0 : 1);
  if (isTooMany) throw wrongUse(`incipit ${command} takes no "${positionals.at(-1)}"`);
  const [given] = positionals;
  if (usage.folder === 'needed' && given === undefined) throw wrongUse(`incipit ${command} needs a folder`);
  const folder = resolve(workingDirectory, given ?? '.');
  if (usage.folder === 'optional' && !isFolder(folder)) throw wrongUse(`there is no folder ${folder}`);
  const texts = new Map(
    Object.entries(values).flatMap(([option, value]) => (typeof value === 'string' ? [[option, value]] : [])),
  );
  const empty = [...texts].find(([, value]) => value.trim() === '');
  if (empty !== undefined) throw wrongUse(`--${empty[0]} needs a value`);
  refuseAddress(texts.get('remote'));
  return {
    command,
    folder,
    options: {
      text: (option) => texts.get(option),
      has: (option) => values[option] === true,
      token: texts.get('token') ?? (env['INCIPIT_TOKEN'] || undefined),
    },
  };
}

/** @throws ProgramError with the exit code 2 */
export function wrongUse(message: string): ProgramError {
  return new ProgramError(2, `${message} (incipit --help)`);
}

function requireCommand(name: string): ProgramCommandName {
  const names = Object.keys(commands) as ProgramCommandName[];
  const known = names.find((candidate) => candidate === name);
  if (known !== undefined) return known;
  if (name === '') throw wrongUse('which command?');
  const near = nearest(name, [...names, 'start']);
  throw wrongUse(`unknown command "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`);
}

function parseRest(args: readonly string[], { options }: CommandUsage) {
  const described = Object.fromEntries(
    Object.entries(options).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  try {
    return parseArgs({ args: [...args], options: described, allowPositionals: true, strict: true });
  } catch (error) {
    throw wrongUse(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function refuseAddress(url: string | undefined): void {
  if (url === undefined) return;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw wrongUse(`--remote must be an address such as https://www.example.com, not "${url}"`);
}
