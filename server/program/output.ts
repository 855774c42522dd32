/** What `incipit` prints: text for people, coloured on terminals only, or one JSON document. */
import { styleText } from 'node:util';
import type { FolderFinding } from '../features/folders/format/content.ts';
import type { FolderChange, FolderConflict, SyncOutcome } from '../features/folders/sync/model.ts';

export type CommandOutcome = Pick<
  SyncOutcome,
  'findings' | 'conflicts' | 'changes' | 'changeSet' | 'message'
>;

/** An outcome without anything in it. */
export const nothing: CommandOutcome = { findings: [], conflicts: [], changes: [], changeSet: null };

/** The document of `--json`. @param error why the command has failed */
export function formatDocument(
  { findings, conflicts, changes, changeSet, message }: CommandOutcome,
  error?: string,
): string {
  const document = { findings, conflicts, changes, change_set: changeSet };
  const told = error ?? message;
  return JSON.stringify(told === undefined ? document : { ...document, message: told }, null, 2);
}

/** Lines for people. @param stream decides about colours */
export function formatOutcome(
  { findings, conflicts, changes, message }: CommandOutcome,
  stream: NodeJS.WriteStream,
): readonly string[] {
  return [
    ...findings.map((finding) => formatFinding(finding, stream)),
    ...changes.map((change) => formatChange(change, stream)),
    ...conflicts.map((conflict) => formatConflict(conflict, stream)),
    ...(message === undefined ? [] : [message]),
  ];
}

/** `file:line:column: level: message (code)`, which terminals and editors make a link of. */
export function formatFinding(
  { file, line, column, level, code, message }: FolderFinding,
  stream: NodeJS.WriteStream,
): string {
  const paint = painter(stream);
  const told = paint(level === 'error' ? 'red' : 'yellow', level);
  return `${file}:${line}:${column}: ${told}: ${message} ${paint('gray', `(${code})`)}`;
}

const signs = {
  create: ['green', '+'],
  update: ['yellow', '~'],
  delete: ['red', '-'],
  move: ['cyan', '>'],
} as const;

function formatChange({ file, op, fields }: FolderChange, stream: NodeJS.WriteStream): string {
  const [colour, sign] = signs[op];
  const names = fields.length === 0 || op === 'create' ? '' : ` (${fields.join(', ')})`;
  return `${painter(stream)(colour, `${sign} ${op}`)} ${file}${names}`;
}

function formatConflict({ file, field, mine, live }: FolderConflict, stream: NodeJS.WriteStream): string {
  const paint = painter(stream);
  const side = (value: unknown) => shorten(JSON.stringify(value) ?? 'nothing');
  const where = field === '' ? file : `${file} (${field})`;
  return `${paint('red', 'conflict')} ${where}\n    here:   ${side(mine)}\n    server: ${side(live)}`;
}

function shorten(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

const maxShown = 120;

type Paint = (colour: 'red' | 'yellow' | 'green' | 'cyan' | 'gray', text: string) => string;

/** Also respects NO_COLOR and FORCE_COLOR. */
function painter(stream: NodeJS.WriteStream): Paint {
  return (colour, text) => styleText(colour, text, { stream });
}
