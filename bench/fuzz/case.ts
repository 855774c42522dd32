/** What must hold for every template, however broken. */
import { createEngine, type Engine, TemplateError } from '../../runtime/engine.ts';
import { hostileContext, hostileFunctions, plantedFault } from './data.ts';
import { demoSnippets } from './templates.ts';

/** Longest that one template may take from text to output, milliseconds. */
const MAX_MS = 1_000;

/** Templates per engine: enough that engines cost little, few enough that memory does not hide what one took. */
const PER_ENGINE = 500;

const snippets: ReadonlyMap<string, string> = new Map([
  ...demoSnippets,
  [
    'layout',
    '<{% for item in b %}{% block b0 %}{{ item }}{% endblock %}{% endfor %}{% block a %}{% endblock %}>',
  ],
  ['part', '[{{ a }}{{ item }}{% if forloop %}{{ forloop.counter }}{% endif %}]'],
  [
    'card',
    '({{ v }}{% slot %}default{% endslot %}{% if slots.side %}{% slot side %}{% endslot %}{% endif %})',
  ],
]);

const builtIns = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Map.prototype];
const ownKeys = builtIns.map((prototype) => Reflect.ownKeys(prototype).length);

/** Looks at templates one after the other. */
export interface Checker {
  /** What is wrong with the engine as this template shows; undefined if nothing is. */
  faultOf(source: string): Promise<string | undefined>;
  /** How many templates gave output so far. */
  rendered(): number;
}

/** @throws Error if a planted fault goes unnoticed */
export async function checkChecker(): Promise<void> {
  const fault = await createChecker().faultOf(`{{ ${plantedFault}() }}`);
  if (fault !== 'generated code fails: TypeError: planted')
    throw new Error('a planted fault was not noticed');
}

export function createChecker(): Checker {
  let current = '';
  let looked = 0;
  let rendered = 0;
  let engine: Engine | undefined;
  const open = () =>
    createEngine({
      load: (name) => (name === 'self' ? current : snippets.get(name)),
      functions: hostileFunctions,
      globals: ['page', 'site', 'route', 'today', 'now', 'preview'],
      now: () => new Date(0),
      timeZone: 'UTC',
    });
  return {
    async faultOf(source) {
      if (engine === undefined || looked % PER_ENGINE === 0) engine = open();
      looked += 1;
      current = source;
      if (source.includes('self')) engine.invalidate();
      const start = performance.now();
      const { fault, output } = await outcomeOf(engine, source);
      if (output !== undefined) rendered += 1;
      const slow = performance.now() - start > MAX_MS;
      if (pollutedPrototype()) return 'a built-in prototype was changed';
      return fault ?? (slow ? slownessOf(open(), source) : undefined);
    },
    rendered: () => rendered,
  };
}

interface Outcome {
  readonly output?: string;
  readonly fault?: string | undefined;
}

async function outcomeOf(engine: Engine, source: string): Promise<Outcome> {
  try {
    const { mistakes, description } = engine.inspect(source, 'page');
    if (mistakes.length === 0 && description === undefined)
      return { fault: 'a template without mistakes cannot be described' };
    const output = await engine.renderSource(source, 'page', hostileContext);
    if (mistakes.length > 0) return { output, fault: 'a template with mistakes renders' };
    if (/\[native code\]|\[object \w+\]/.test(output))
      return { output, fault: 'the output shows an object of the engine' };
    return { output };
  } catch (error) {
    return { fault: faultOfError(error) };
  }
}

/** Past the reasons that a template may give, an error of the language itself is a mistake of ours. */
function faultOfError(error: unknown): string | undefined {
  if (!(error instanceof TemplateError)) return `no template error: ${textOf(error)}`;
  const { cause } = error;
  if (!(cause instanceof Error) || cause.constructor.name !== cause.name) return undefined;
  if (cause instanceof RangeError && /call stack|Invalid string length/.test(cause.message)) return undefined;
  return ['SyntaxError', 'ReferenceError', 'TypeError', 'RangeError', 'Error'].includes(cause.name)
    ? `generated code fails: ${textOf(cause)}`
    : undefined;
}

/** Slow once may be the machine: only what is slow in a fresh engine too, and in time of the processor, counts. */
async function slownessOf(engine: Engine, source: string): Promise<string | undefined> {
  const before = process.cpuUsage();
  await outcomeOf(engine, source);
  const { user, system } = process.cpuUsage(before);
  const usedMs = (user + system) / 1_000;
  return usedMs > MAX_MS ? 'takes longer than a second' : undefined;
}

function pollutedPrototype(): boolean {
  return builtIns.some((prototype, index) => Reflect.ownKeys(prototype).length !== ownKeys[index]);
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
