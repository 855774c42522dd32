import type { TaskContext } from './context.ts';
import type { CheckTemplateTask, TemplateWarning } from './messages.ts';

/** Warnings for templates that are being saved (open points 2); they do not need to be stored yet. */
export function checkTemplateTask(
  context: TaskContext,
  task: CheckTemplateTask,
): Promise<readonly TemplateWarning[]> {
  return context.onSnapshot(0, () =>
    task.sources.flatMap(({ name, source }) =>
      context.tools.engine.check(source, name).map(
        ({ message, reason, template, line, column }): TemplateWarning => ({
          code: 'template.syntax',
          error: message,
          params: { template, line, column, message: reason },
        }),
      ),
    ),
  );
}
