import { LRUCache } from 'lru-cache';
import type { TemplateReport } from '../runtime/tasks/messages.ts';
import type { Log } from './log.ts';

/** A template and its name in errors: the path of a page or the name of a snippet. */
export interface NamedTemplate {
  readonly name: string;
  readonly source: string;
}

/** Size limit of the report cache, in characters of template names and texts. */
const rememberedCharacters = 8 * 2 ** 20;

/**
 * Static analysis of templates for the services. The compiler runs in a render worker.
 *
 * Reports are cached by name and text of the template: most saves change at most one template of a page, and
 * only the changed template goes to the pool. A report also depends on the existing snippets and assets;
 * `forget` clears the cache when these change.
 */
export class TemplateAnalysis {
  readonly #analyse: (template: NamedTemplate) => Promise<TemplateReport>;
  readonly #log: Log;
  readonly #known = new LRUCache<string, Promise<TemplateReport>>({
    maxSize: rememberedCharacters,
    sizeCalculation: (_report, key) => key.length,
  });

  /** @param analyse analyses a template in a render worker */
  constructor(analyse: (template: NamedTemplate) => Promise<TemplateReport>, log: Log) {
    this.#analyse = analyse;
    this.#log = log;
  }

  /** @throws the error of the worker, e.g. `common.busy`. It is not cached. */
  report(template: NamedTemplate): Promise<TemplateReport> {
    if (!hasTag(template.source)) return Promise.resolve(nothingToReport);
    const key = `${template.name}\n${template.source}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const report = this.#analyse(template);
    this.#known.set(key, report);
    report.catch(() => {
      if (this.#known.peek(key) === report) this.#known.delete(key);
    });
    return report;
  }

  /** For the answer to a save, which stands: a failed analysis is logged and gives undefined. */
  async reportOfSaved(template: NamedTemplate): Promise<TemplateReport | undefined> {
    try {
      return await this.report(template);
    } catch (error) {
      this.#log.error({ err: error, template: template.name }, 'a saved template could not be analysed');
      return undefined;
    }
  }

  /** Clears the cache. Must be called when objects that templates can name have changed. */
  forget(): void {
    this.#known.clear();
  }
}

const nothingToReport: TemplateReport = { warnings: [], rendersBlocks: false, slots: [] };

/** Text without an opening tag is printed as it is and has no findings, so it is not sent to the pool. */
function hasTag(source: string): boolean {
  return /\{[{%#]/.test(source);
}
