/** Causes of differences: those that are known, and a name for all others. */
import { type Case, isSame, type Outcome, sourcesOf } from './case.ts';
import type { Peculiarity } from './python.ts';

/** A difference, with the templates as small as could be found. */
export interface Difference {
  readonly one: Case;
  readonly ours: Outcome;
  readonly theirs: Outcome;
}

export interface Cause {
  readonly name: string;
  /** Absent for a cause that nobody has looked at yet. */
  readonly reason?: string;
}

interface KnownCause {
  readonly name: string;
  /** Why the difference stays. */
  readonly reason: string;
  /** Versions of Django that show it; all if absent. */
  readonly django?: RegExp;
  matches(difference: Difference, source: string): boolean;
}

const pythonError: KnownCause = {
  name: 'Django fails with an error of Python',
  reason:
    'Its filters and tags let errors such as TypeError through. Here a value that a filter cannot use prints nothing or stays as it is.',
  matches: isPythonError,
};

const known: readonly KnownCause[] = [
  pythonError,
  {
    name: 'tuples print as lists',
    reason: 'There are no tuples here: the pairs of `items` are lists and print in brackets.',
    matches: ({ ours, theirs }) =>
      'output' in ours &&
      'output' in theirs &&
      withoutBrackets(ours.output) === withoutBrackets(theirs.output),
  },
  {
    name: 'dates without a filter',
    reason: 'Printed without a filter they are ISO texts; Django follows the language.',
    matches: ({ ours }) => 'output' in ours && /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+00:00/.test(ours.output),
  },
  {
    name: 'groups of regroup as text',
    reason: 'Django prints the name of its class. Here a group prints as a map.',
    matches: ({ theirs }) => 'output' in theirs && theirs.output.includes('GroupedResult('),
  },
];

/** Causes that explain a difference if there is none once Django leaves a peculiarity out. */
const peculiar: readonly (Cause & { readonly peculiarity: Peculiarity })[] = [
  {
    name: 'truncating HTML that ends in an unfinished entity',
    reason: 'Django loses the text after the last `&` or `<`, and all of a short text. Here it stays.',
    peculiarity: 'truncation loses the end',
  },
  {
    name: 'an ifchanged whose body printed nothing',
    reason:
      'Django renders the body a second time, so that cycles in it move twice. Here it is rendered once.',
    peculiarity: 'empty ifchanged renders twice',
  },
  {
    name: '`is` with texts',
    reason: 'In Python equal texts are sometimes one object, sometimes two. Here `is` compares them.',
    peculiarity: 'equal texts are several objects',
  },
  {
    name: 'a number in a map',
    reason:
      'Names in maps are texts, as in JSON. `map.1` finds the name "1" everywhere; `1 in map` does so only here.',
    peculiarity: 'numbers are no names in maps',
  },
  {
    name: 'a missing argument of a filter below block.super',
    reason: 'In Django the whole parent block is then empty. Elsewhere it is an error of Python there.',
    peculiarity: 'block.super hides missing arguments',
  },
  {
    name: 'a filter fails inside a condition',
    reason: 'In Django the condition is then false. Here it is an error with its place, as everywhere else.',
    peculiarity: 'failures in conditions are false',
  },
];

/** Whether Django ended with another error than its own for templates. */
export function isPythonError({ ours, theirs }: Difference): boolean {
  return 'output' in ours && 'error' in theirs && !/^Template(SyntaxError|DoesNotExist)/.test(theirs.error);
}

function withoutBrackets(output: string): string {
  return output.replace(/[()[\]]/g, '');
}

/** @param without what Django makes of the case without a peculiarity */
export async function causeOf(
  difference: Difference,
  django: string,
  without: (peculiarity: Peculiarity) => Promise<Outcome>,
): Promise<Cause> {
  const source = Object.values(sourcesOf(difference.one)).join('\n');
  const found = known.find(
    (cause) => (cause.django?.test(django) ?? true) && cause.matches(difference, source),
  );
  if (found !== undefined) return found;
  for (const cause of peculiar) {
    const theirs = await without(cause.peculiarity);
    if (isSame(difference.ours, theirs)) return cause;
    // Where the filter prints nothing here, Django fails with an error of Python, and hides that.
    if (isPythonError({ ...difference, theirs }))
      return { ...pythonError, name: `${pythonError.name}, and hides it: ${cause.name}` };
  }
  return { name: `${kindOf(difference)}: ${wordsOf(source)}` };
}

/** Which engine refuses the templates, or that the outputs differ. */
export function kindOf({ ours, theirs }: Difference): string {
  if ('error' in ours) return 'only Incipit refuses';
  return 'error' in theirs ? 'only Django refuses' : 'other output';
}

/** The tags and filters in use. */
function wordsOf(source: string): string {
  const tags = [...source.matchAll(/\{%\s*(\w+)/g)]
    .map(([, tag = '']) => tag)
    .filter((tag) => !tag.startsWith('end'));
  const filters = [...source.matchAll(/\|(\w+)/g)].map(([, filter]) => `|${filter}`);
  const parent = source.includes('block.super') ? ['block.super'] : [];
  const words = [...new Set([...tags, ...parent, ...filters])].sort();
  return words.length === 0 ? 'output' : words.join(' ');
}
