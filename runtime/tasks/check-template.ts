import type { TemplateError } from '../engine.ts';
import type { TaskContext } from './context.ts';
import type { CheckTemplateTask, TemplateReport, TemplateWarning } from './messages.ts';

/** Checks a template, which does not need to be stored. */
export async function checkTemplateTask(
  context: TaskContext,
  task: CheckTemplateTask,
): Promise<TemplateReport> {
  const { value } = await context.onSnapshot(0, () => reportOn(context, task));
  return value;
}

function reportOn({ tools }: TaskContext, { name, source }: CheckTemplateTask): TemplateReport {
  const { engine, memo } = tools;
  const { mistakes, findings, description } = engine.inspect(source, name, {
    hasSnippet: (snippet) => memo.snippet(snippet) !== undefined,
    hasAsset: (id) => memo.assetRef(id) !== undefined,
  });
  const warnings = [
    ...mistakes.map((error) => warningOf('template.syntax', error, { message: error.reason })),
    ...findings.map(({ code, error, params }) => warningOf(code, error, params)),
  ];
  return {
    warnings,
    rendersBlocks: description?.rendersBlocks ?? false,
    slots: description?.facts.slots ?? [],
  };
}

function warningOf(
  code: TemplateWarning['code'],
  { message, template, line, column }: TemplateError,
  params: TemplateWarning['params'],
): TemplateWarning {
  return { code, error: message, params: { template, line, column, ...params } };
}
