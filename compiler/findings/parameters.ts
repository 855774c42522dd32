/** Finds parameters of components that the component never reads. */
import { asQuestion, nearest } from '../../grammar/suggest.ts';
import { walkNodes } from '../walk.ts';
import { type CheckedTemplate, withSuggestion } from './report.ts';

export function reportParameters({ template, world, others, report }: CheckedTemplate): void {
  walkNodes(template.body, (node) => {
    if (node.type !== 'Component' || node.bindings.length === 0 || node.template.kind === 'expression')
      return;
    const component = node.template.name;
    const reads = others.readsOf(component);
    if (reads === undefined || reads === 'all') return;
    for (const { name, start } of node.bindings) {
      if (reads.has(name)) continue;
      report(start, 'template.unknownParameter', () => {
        const parameters = [...reads].filter((read) => !isOfSystem(read, world.system?.variables));
        const suggestion = nearest(name, parameters);
        const reason = `the component "${component}" never reads "${name}"${asQuestion(suggestion)}`;
        return { reason, params: withSuggestion({ name, component }, suggestion) };
      });
    }
  });
}

/** Whether a name that a component reads is not one of its parameters. */
function isOfSystem(name: string, variables: ReadonlyMap<string, unknown> | undefined): boolean {
  return name === 'slots' || name === 'forloop' || variables?.has(name) === true;
}
