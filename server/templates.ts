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

/**
 * @param checkInPool checks templates in a render worker
 */
export function createTemplateAnalysis(
  checkInPool: (templates: readonly NamedTemplate[]) => Promise<readonly Warning[]>,
  log: Log,
): TemplateAnalysis {
  return {
    async check(templates) {
      const checkable = templates.filter(({ source }) => hasTag(source));
      if (checkable.length === 0) return [];
      try {
        return [...(await checkInPool(checkable))];
      } catch (error) {
        // What was saved is saved: an answer without findings is right about that, an error would not be.
        log.error(
          { err: error, templates: checkable.map(({ name }) => name) },
          'templates could not be checked',
        );
        return [];
      }
    },
    // The language has no tag yet that outputs a block tree, so no template can.
    rendersBlocks: async () => false,
  };
}

/** Text without an opening tag is output as it is and cannot be wrong; it need not leave the thread. */
function hasTag(source: string): boolean {
  return /\{[{%#]/.test(source);
}
