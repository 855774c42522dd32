import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { Value } from 'typebox/value';
import { allLanguages } from '../render/workload.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { PageFigures, TemplateFigures } from './figures.ts';

const execute = promisify(execFile);

/** Sections in the layout of the pages. The memory of a page must not grow with them. */
const layoutSizes = [1, 20, 200];

interface Figures {
  readonly templates: readonly (TemplateFigures & { readonly name: string })[];
  readonly pages: readonly PageFigures[];
}

/**
 * Measures time and memory of compiled templates, each figure in a process of its own. Options: `--json`,
 * `--pages <n>` (10000).
 */
export async function runMemoryBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { json: { type: 'boolean', default: false }, pages: { type: 'string', default: '10000' } },
  });
  if (!/^[1-9]\d*$/.test(values.pages)) throw new Error('--pages needs a whole number above 0');
  const templates: Figures['templates'][number][] = [];
  for (const name of allLanguages) {
    const figures = Value.Decode(
      TemplateFigures,
      await answerOf(import.meta.resolve('./templates.ts'), name),
    );
    templates.push({ name, ...figures });
  }
  const pages: PageFigures[] = [];
  for (const sections of layoutSizes) {
    pages.push(
      Value.Decode(
        PageFigures,
        await answerOf(import.meta.resolve('./pages.ts'), String(sections), values.pages),
      ),
    );
  }
  if (values.json) console.log(JSON.stringify({ environment: environmentLine(), templates, pages }, null, 2));
  else
    console.log([environmentLine(), templateTable(templates), pageTable(pages, values.pages)].join('\n\n'));
}

/** The JSON that a fresh process prints. */
async function answerOf(url: string, ...args: readonly string[]): Promise<unknown> {
  // Without `--no-flush-bytecode` V8 drops code that has not run for a while: memory would look saved.
  const flags = ['--expose-gc', '--no-flush-bytecode'];
  const { stdout } = await execute(process.execPath, [...flags, fileURLToPath(url), ...args]);
  return JSON.parse(stdout);
}

function templateTable(templates: Figures['templates']): string {
  const rows = templates.map(({ name, coldPerKb, warmPerKb, bytesPerTemplate }) => [
    name,
    coldPerKb.toFixed(0),
    warmPerKb.toFixed(0),
    (bytesPerTemplate / 1024).toFixed(1),
  ]);
  return markdownTable(['1,000 templates', 'first, µs per KB', 'later, µs per KB', 'heap of each, KB'], rows);
}

function pageTable(pages: readonly PageFigures[], count: string): string {
  const rows = pages.map((figures) => [
    (figures.layoutBytes / 1024).toFixed(1),
    figures.pageBytes.toFixed(0),
    (figures.bytesPerPage / 1024).toFixed(1),
    String(figures.emitted),
    String(figures.emittedAfterText),
    String(figures.emittedAfterVariable),
  ]);
  const head = [
    'layout, KB',
    'page, bytes',
    'heap per page, KB',
    'compiled',
    'after saving a text',
    'after saving a new variable',
  ];
  return `${count} pages on one layout; a snippet that the layout includes is saved\n\n${markdownTable(head, rows)}`;
}
