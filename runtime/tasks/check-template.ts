import type { TaskContext } from './context.ts';
import type { CheckTemplateTask, TemplateReport, TemplateWarning } from './messages.ts';

/** What can be said of templates that are being saved (open points 2); they do not need to be stored yet. */
export function checkTemplateTask(
  context: TaskContext,
  task: CheckTemplateTask,
): Promise<readonly TemplateReport[]> {
  return context.onSnapshot(0, () => task.sources.map((template) => reportOn(context, template)));
}

function reportOn(
  { tools }: TaskContext,
  { name, source }: CheckTemplateTask['sources'][number],
): TemplateReport {
  const { engine, memo } = tools;
  const { reader } = memo;
  const described = engine.describe(source, name);
  const slots = described?.facts.slots ?? [];
  const rendersBlocks = described?.rendersBlocks ?? false;
  const mistakes = engine.check(source, name);
  if (mistakes.length > 0) {
    const warnings = mistakes.map(({ message, reason, template, line, column }): TemplateWarning => {
      return { code: 'template.syntax', error: message, params: { template, line, column, message: reason } };
    });
    return { warnings, rendersBlocks, slots };
  }
  const world = {
    hasSnippet: (snippet: string) => reader.snippet(snippet) !== undefined,
    hasAsset: (id: number) => reader.asset(id) !== undefined,
  };
  const warnings = engine
    .findProblems(source, name, world)
    .map(({ code, error, params }): TemplateWarning => {
      const { template, line, column, message } = error;
      return { code, error: message, params: { template, line, column, ...params } };
    });
  return { warnings, rendersBlocks, slots };
}
