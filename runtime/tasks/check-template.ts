import type { ContentReader } from '../content.ts';
import { type Engine, TemplateError } from '../engine.ts';
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
  return { warnings: warningsOf(engine, reader, name, source), rendersBlocks, slots };
}

function warningsOf(
  engine: Engine,
  reader: ContentReader,
  name: string,
  source: string,
): readonly TemplateWarning[] {
  const mistakes = engine.check(source, name);
  if (mistakes.length > 0) return mistakes.map(syntaxWarning);
  const world = {
    hasSnippet: (snippet: string) => reader.snippet(snippet) !== undefined,
    hasAsset: (id: number) => reader.asset(id) !== undefined,
  };
  try {
    return engine.findProblems(source, name, world).map(({ code, error, params }) => {
      const { template, line, column, message } = error;
      return { code, error: message, params: { template, line, column, ...params } };
    });
  } catch (error) {
    if (error instanceof TemplateError) return [syntaxWarning(error)];
    throw error;
  }
}

function syntaxWarning({ message, reason, template, line, column }: TemplateError): TemplateWarning {
  return { code: 'template.syntax', error: message, params: { template, line, column, message: reason } };
}
