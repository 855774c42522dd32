/** Rules that must hold for every template, even a broken one. */
import { Engine, TemplateError } from '../../runtime/engine.ts';
import { hostileContext, hostileFunctions, plantedFault } from './data.ts';
import { demoSnippets } from './templates.ts';

/** Time limit of one template from text to output, milliseconds. */
const maxMs = 1_000;

/**
 * Templates per engine: enough that making engines costs little, few enough that the memory of earlier
 * templates does not hide the memory of a single one.
 */
const perEngine = 500;

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

/** @throws Error if a planted fault goes unnoticed */
export async function checkChecker(): Promise<void> {
  const fault = await new Checker().faultOf(`{{ ${plantedFault}() }}`);
  if (fault !== 'generated code fails: TypeError: planted')
    throw new Error('a planted fault was not noticed');
}

/** Checks templates one after the other. */
export class Checker {
  #current = '';
  #looked = 0;
  #engine: Engine | undefined;
  /** Number of templates that gave output. */
  rendered = 0;

  /** The fault that the engine shows with a template; undefined if there is none. */
  async faultOf(source: string): Promise<string | undefined> {
    if (this.#engine === undefined || this.#looked % perEngine === 0) this.#engine = this.#open();
    this.#looked += 1;
    this.#current = source;
    if (source.includes('self')) this.#engine.invalidate();
    const start = performance.now();
    const { fault, output } = await outcomeOf(this.#engine, source);
    if (output !== undefined) this.rendered += 1;
    const slow = performance.now() - start > maxMs;
    if (pollutedPrototype()) return 'a built-in prototype was changed';
    return fault ?? (slow ? slownessOf(this.#open(), source) : undefined);
  }

  #open(): Engine {
    return new Engine({
      load: (name) => (name === 'self' ? this.#current : snippets.get(name)),
      functions: hostileFunctions,
      globals: ['page', 'site', 'route', 'today', 'now', 'preview'],
      now: () => new Date(0),
      timeZone: 'UTC',
    });
  }
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

/** The fault of an error. A template may exceed stack or string size; other JavaScript errors are defects. */
function faultOfError(error: unknown): string | undefined {
  if (!(error instanceof TemplateError)) return `no template error: ${textOf(error)}`;
  const { cause } = error;
  if (!(cause instanceof Error) || cause.constructor.name !== cause.name) return undefined;
  if (cause instanceof RangeError && /call stack|Invalid string length/.test(cause.message)) return undefined;
  return ['SyntaxError', 'ReferenceError', 'TypeError', 'RangeError', 'Error'].includes(cause.name)
    ? `generated code fails: ${textOf(cause)}`
    : undefined;
}

/** The machine may be slow once: the template must also take a fresh engine too much processor time. */
async function slownessOf(engine: Engine, source: string): Promise<string | undefined> {
  const before = process.cpuUsage();
  await outcomeOf(engine, source);
  const { user, system } = process.cpuUsage(before);
  const usedMs = (user + system) / 1_000;
  return usedMs > maxMs ? 'takes longer than a second' : undefined;
}

function pollutedPrototype(): boolean {
  return builtIns.some((prototype, index) => Reflect.ownKeys(prototype).length !== ownKeys[index]);
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
