import {
  type CompiledTemplate,
  type CompilerOptions,
  compileTemplate,
  Linker,
} from '../../compiler/index.ts';
import { TemplateError } from '../../grammar/errors.ts';
import { renderLimits } from '../engine/budgets.ts';
import { filters } from '../filters/index.ts';
import { pageGlobals, templateFunctions } from '../functions/index.ts';
import { systemObjects } from '../page/system-objects.ts';
import { isPageTemplate } from '../page/template-name.ts';
import { helpText, type Part, readArguments, UsageError } from './arguments.ts';
import { findSubject, type Subject, type Text } from './subject.ts';

const options: CompilerOptions = {
  filters,
  functions: templateFunctions,
  globals: new Set(pageGlobals),
  maxOutputLength: renderLimits.outputLength,
};

/** Where the command writes. */
export interface Output {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/**
 * Prints the tree, facts, generated code and findings of a template. `arguments.ts` has the options,
 * `subject.ts` says where a template is looked for.
 *
 * @returns the exit code: 1 if the template cannot be rendered or the command line is wrong
 */
export function explain(args: readonly string[], { stdout, stderr }: Output): 0 | 1 {
  try {
    const given = readArguments(args);
    if (given !== undefined) return explainSubject(findSubject(given), given.parts, stdout);
    stdout.write(helpText);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    stderr.write(`explain: ${error.message}\n`);
    return 1;
  }
}

/** Findings come last, because that is where one looks after a long output. */
function explainSubject(subject: Subject, parts: ReadonlySet<Part>, stdout: Output['stdout']): 0 | 1 {
  const print: Print = (title, text) => stdout.write(`# ${title}\n\n${text}\n\n`);
  const compiled = [subject.text, ...subject.further].map((text) => compile(text, subject));
  if (compiled[0]?.result !== undefined) printParts(compiled[0].result, parts, print);
  const mistakes = compiled.flatMap((one) => one.mistakes);
  const findings = compiled.flatMap((one) => one.result?.findings ?? []).map(({ error }) => error);
  const problems = [...mistakes, ...findings].map(({ message }) => message);
  print('Findings', problems.length === 0 ? 'none' : problems.join('\n'));
  return mistakes.length > 0 ? 1 : 0;
}

type Print = (title: string, text: string) => void;

interface Compiled {
  /** Undefined if the text does not parse. */
  readonly result: CompiledTemplate | undefined;
  /** What keeps the template from being rendered. */
  readonly mistakes: readonly TemplateError[];
}

function compile(text: Text, { load, hasAsset }: Subject): Compiled {
  const linker = new Linker({
    ...options,
    load,
    autoescape: true,
    maxBytes: 64 * 2 ** 20,
    helpers: {},
    onLink: () => {},
  });
  const world = {
    hasSnippet: (snippet: string) => load(snippet) !== undefined,
    ...(hasAsset === undefined ? {} : { hasAsset }),
    system: systemObjects,
    isPage: isPageTemplate(text.name),
  };
  try {
    const result = compileTemplate(text, options, world, linker);
    return { result, mistakes: result.mistakes };
  } catch (error) {
    if (error instanceof TemplateError) return { result: undefined, mistakes: [error] };
    throw error;
  }
}

function printParts(
  { template, facts, mistakes, reach, emit }: CompiledTemplate,
  parts: ReadonlySet<Part>,
  print: Print,
): void {
  if (parts.has('tree')) print('Tree', JSON.stringify(template.body, withoutSpans, 2));
  if (parts.has('facts')) {
    const reads = reach.reads === 'all' ? reach.reads : [...reach.reads].sort();
    print('Facts', JSON.stringify(facts, null, 2));
    print('Together with what it reaches', JSON.stringify({ ...reach, reads }, null, 2));
  }
  if (parts.has('code') && mistakes.length === 0) {
    const { references, code } = emit();
    print('References', JSON.stringify(references, null, 2));
    print('JavaScript', code);
  }
}

function withoutSpans(key: string, value: unknown): unknown {
  return key === 'start' || key === 'end' || key === 'nameStart' ? undefined : value;
}
