import { parseArgs } from 'node:util';

/** Parts of the explanation that options choose, in the order in which they are printed. */
export const parts = ['tree', 'facts', 'code'] as const;
export type Part = (typeof parts)[number];

export interface Arguments {
  /** Path of a page, name of a snippet, file, or the text of a template. */
  readonly input: string;
  /** Data directory; undefined if the default is meant, which need not exist. */
  readonly data: string | undefined;
  /** Folder of snippets as files; undefined if the current one is meant. */
  readonly snippets: string | undefined;
  readonly parts: ReadonlySet<Part>;
}

/** A command line that cannot be carried out. The message is for the person who typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const helpText = `Usage: npm run --silent explain -- [options] <page path, snippet, file or text>

Shows what the compiler makes of a template: its syntax tree, what is known about it, the generated
JavaScript, and what is wrong with it. The template is the path of a page of the oldest website (/visit), the
name of a snippet, a file, or the text itself. Of a page its html is shown, and what is wrong in any of its
fields.

Options:
  -tree             show the syntax tree
  -facts            show the facts: names it reads, templates it uses, blocks, slots
  -code             show the generated JavaScript
                    (without one of these three: all of them; findings are always shown)
  -data <dir>       data directory with pages and snippets (./data)
  -snippets <dir>   folder with further snippets, as files <name>.html (.)
  -help             print this text

Options take one or two dashes; after -- everything is text. The exit code is 1 if the template cannot be
rendered.
`;

/**
 * Reads the command line.
 *
 * @returns undefined if help is asked for
 * @throws UsageError
 */
export function readArguments(args: readonly string[]): Arguments | undefined {
  const { values, positionals } = parse(withTwoDashes(args));
  if (values.help === true) return undefined;
  const [input, ...more] = positionals;
  if (input === undefined) throw new UsageError('which template? (-help says what can be named)');
  if (more.length > 0) throw new UsageError(`one template, please: put the text in quotes (${more[0]})`);
  const chosen = parts.filter((part) => values[part] === true);
  return {
    input,
    data: values.data,
    snippets: values.snippets,
    parts: new Set(chosen.length > 0 ? chosen : parts),
  };
}

/** `-code` is `--code`, as for the options of the server. */
function withTwoDashes(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  return args.map((arg, index) => (/^-[a-z]/.test(arg) && (end < 0 || index < end) ? `-${arg}` : arg));
}

function parse(args: string[]) {
  const flag = { type: 'boolean' } as const;
  const folder = { type: 'string' } as const;
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { tree: flag, facts: flag, code: flag, help: flag, data: folder, snippets: folder },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
