/** `templates.ts <language>`, with `--expose-gc`: prints time and memory of many templates, as JSON. */
import { spreadOf } from '../measure.ts';
import { openTemplates } from '../render/contestants/index.ts';
import { logic } from '../render/tuned/logic.ts';
import { allLanguages, type Language, type Sources } from '../render/workload.ts';
import type { TemplateFigures } from './figures.ts';
import { heapBytes } from './heap.ts';

/** Templates that are in memory at the same time. */
const templateCount = 1_000;

/** Templates that are timed. As many run before them for warming up. */
const timedCount = 100;

const [name] = process.argv.slice(2);
const language = allLanguages.find((candidate) => candidate === name);
if (language === undefined) throw new Error(`there is no language ${name}`);
console.log(JSON.stringify(figuresOf(language)));

function figuresOf(language: Language): TemplateFigures {
  const coldPerKb = timesOf(language, different(language, 1, 'cold'))[0] ?? Number.NaN;
  // These templates make everything that an engine needs once, before the heap is measured.
  timesOf(language, different(language, timedCount, 'early'));
  const sources = different(language, templateCount, 'counted');
  const before = heapBytes();
  const engine = openTemplates[language](sources);
  const renderers = Object.keys(sources).map((name) => engine(name));
  for (const render of renderers) render(logic.least);
  const bytesPerTemplate = (heapBytes() - before) / renderers.length;
  const warm = timesOf(language, different(language, 2 * timedCount, 'timed')).slice(timedCount);
  return { coldPerKb, warmPerKb: spreadOf(warm).median, bytesPerTemplate };
}

/** Microseconds per KB of each template, from its text to its first output, alone in a fresh engine. */
function timesOf(language: Language, sources: Sources): number[] {
  return Object.values(sources).map((main) => {
    const start = process.hrtime.bigint();
    openTemplates[language]({ main })('main')(logic.least);
    return (Number(process.hrtime.bigint() - start) * 1.024) / Buffer.byteLength(main);
  });
}

/** Templates that differ in one text only. */
function different(language: Language, count: number, word: string): Sources {
  const textOf = (index: number) => logic.sources[language].main.replace('closed', `${word} ${index}`);
  const others = Array.from({ length: count - 1 }, (_, index) => [`t${index}`, textOf(index)]);
  return { ...Object.fromEntries(others), main: textOf(count) };
}
