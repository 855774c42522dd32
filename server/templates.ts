import { LRUCache } from 'lru-cache';
import type { TemplateReport } from '../runtime/tasks/messages.ts';
import type { Log } from './log.ts';
import type { Warning } from './model.ts';

/** A template with the name that its errors carry: a page's path, a snippet's name. */
export interface NamedTemplate {
  readonly name: string;
  readonly source: string;
}

/** What the services ask the compiler, which runs off the main thread. */
export interface TemplateAnalysis {
  /** Static findings, such as `template.syntax`, in the order of the templates. */
  check(templates: readonly NamedTemplate[]): Promise<Warning[]>;
  /** Whether a template outputs the block tree of the page, layouts and includes considered. */
  rendersBlocks(template: NamedTemplate): Promise<boolean>;
  /** Names of the slots of a template, `default` for the nameless one. */
  slotsOf(template: NamedTemplate): Promise<readonly string[]>;
  /** To be called when snippets or assets have changed: what was found may not be true any more. */
  forget(): void;
}

/** Characters of template text whose findings are remembered. */
const rememberedCharacters = 8 * 2 ** 20;

/**
 * Findings are remembered by name and text: most saves change one template of a page, or none, and only that one goes
 * to the pool. They depend on which snippets and assets there are too, hence `forget`.
 *
 * @param reportInPool looks at templates in a render worker
 */
export function createTemplateAnalysis(
  reportInPool: (templates: readonly NamedTemplate[]) => Promise<readonly TemplateReport[]>,
  log: Log,
): TemplateAnalysis {
  const known = new LRUCache<string, TemplateReport>({
    maxSize: rememberedCharacters,
    sizeCalculation: (_report, key) => key.length,
  });
  let generation = 0;

  return {
    async check(templates) {
      const reports = await Promise.all(templates.map(reportOn));
      return reports.flatMap(({ warnings }) => warnings);
    },
    rendersBlocks: async (template) => (await reportOn(template)).rendersBlocks,
    slotsOf: async (template) => (await reportOn(template)).slots,
    forget() {
      generation += 1;
      known.clear();
    },
  };

  async function reportOn(template: NamedTemplate): Promise<TemplateReport> {
    if (!hasTag(template.source)) return nothingToReport;
    const key = `${template.name}\n${template.source}`;
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    const askedIn = generation;
    try {
      const [report = nothingToReport] = await reportInPool([template]);
      if (askedIn === generation) known.set(key, report);
      return report;
    } catch (error) {
      // What was saved is saved: an answer without findings is right about that, an error would not be.
      log.error({ err: error, template: template.name }, 'a template could not be checked');
      return nothingToReport;
    }
  }
}

const nothingToReport: TemplateReport = { warnings: [], rendersBlocks: false, slots: [] };

/** Text without an opening tag is output as it is and cannot be wrong; it need not leave the thread. */
function hasTag(source: string): boolean {
  return /\{[{%#]/.test(source);
}
