/** `templates.ts <language>`, with `--expose-gc`: time and memory of compiling many templates, as JSON. */
import { spreadOf } from '../measure.ts';
import { openEngine } from '../render/contestants/index.ts';
import { LANGUAGES, type Language, type Sources } from '../render/workload.ts';
import { logic } from '../render/workloads/logic.ts';
import type { TemplateFigures } from './figures.ts';
import { heapBytes } from './heap.ts';

/** Templates that are held at once. */
const COUNT = 1_000;

/** Templates that are timed, after as many for warming up. */
const TIMED = 100;

const [name] = process.argv.slice(2);
const language = LANGUAGES.find((candidate) => candidate === name);
if (language === undefined) throw new Error(`there is no language ${name}`);
console.log(JSON.stringify(figuresOf(language)));

function figuresOf(language: Language): TemplateFigures {
  const coldPerKb = timesOf(language, different(language, 1, 'cold'))[0] ?? Number.NaN;
  // What an engine needs once is there before the heap is looked at.
  timesOf(language, different(language, TIMED, 'early'));
  const sources = different(language, COUNT, 'counted');
  const before = heapBytes();
  const engine = openEngine[language](sources);
  const renderers = Object.keys(sources).map((name) => engine(name));
  for (const render of renderers) render(logic.least);
  const bytesPerTemplate = (heapBytes() - before) / renderers.length;
  const warm = timesOf(language, different(language, 2 * TIMED, 'timed')).slice(TIMED);
  return { coldPerKb, warmPerKb: spreadOf(warm).median, bytesPerTemplate };
}

/** Microseconds by KB that each template takes from its text to its first output, by itself in a fresh engine. */
function timesOf(language: Language, sources: Sources): number[] {
  return Object.values(sources).map((main) => {
    const start = process.hrtime.bigint();
    openEngine[language]({ main })('main')(logic.least);
    return (Number(process.hrtime.bigint() - start) * 1.024) / Buffer.byteLength(main);
  });
}

/** Templates that differ in a text. */
function different(language: Language, count: number, word: string): Sources {
  const textOf = (index: number) => logic.sources[language].main.replace('closed', `${word} ${index}`);
  const others = Array.from({ length: count - 1 }, (_, index) => [`t${index}`, textOf(index)]);
  return { ...Object.fromEntries(others), main: textOf(count) };
}
