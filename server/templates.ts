import { LRUCache } from 'lru-cache';
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
  /** Whether a page with this `html` outputs its block tree, layouts and includes considered. */
  rendersBlocks(template: NamedTemplate): Promise<boolean>;
}

/** Characters of template text whose findings are remembered. */
const rememberedCharacters = 8 * 2 ** 20;

/**
 * Findings are remembered by name and text, on which alone syntax depends: most saves change one template of a
 * page, or none, and only that one goes to the pool.
 *
 * @param checkInPool checks templates in a render worker
 */
export function createTemplateAnalysis(
  checkInPool: (templates: readonly NamedTemplate[]) => Promise<readonly Warning[]>,
  log: Log,
): TemplateAnalysis {
  const known = new LRUCache<string, readonly Warning[]>({
    maxSize: rememberedCharacters,
    sizeCalculation: (_findings, key) => key.length,
  });

  return {
    async check(templates) {
      const findings = await Promise.all(templates.filter(({ source }) => hasTag(source)).map(checkOne));
      return findings.flat();
    },
    // The language has no tag yet that outputs a block tree, so no template can.
    rendersBlocks: async () => false,
  };

  async function checkOne(template: NamedTemplate): Promise<readonly Warning[]> {
    const key = `${template.name}\n${template.source}`;
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    try {
      const findings = await checkInPool([template]);
      known.set(key, findings);
      return findings;
    } catch (error) {
      // What was saved is saved: an answer without findings is right about that, an error would not be.
      log.error({ err: error, template: template.name }, 'a template could not be checked');
      return [];
    }
  }
}

/** Text without an opening tag is output as it is and cannot be wrong; it need not leave the thread. */
function hasTag(source: string): boolean {
  return /\{[{%#]/.test(source);
}
