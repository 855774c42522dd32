import { expect, test } from 'vitest';
import { defineLazy } from '../../../runtime/engine/context.ts';
import { Engine } from '../../../runtime/engine.ts';

/** Variables that are computed when a template reads them, such as the time of a render. */

const snippets: Readonly<Record<string, string>> = {
  plain: 'p{{ x }}',
  reads: 'r{{ now }}',
  'reads-all': '{% include which %}',
};

function rendered(template: string, variables: object = {}): { output: unknown; reads: number } {
  const engine = new Engine({ load: (name) => snippets[name], globals: ['now'] });
  let reads = 0;
  const context: Record<string, unknown> = { which: 'plain', both: 'reads', ...variables };
  defineLazy(context, 'now', () => {
    reads += 1;
    return 'N';
  });
  return { output: engine.renderSource(template, 'page', context), reads };
}

test.each([
  ['{% include which %}', 'p', 0],
  ['{% include which only %}', 'p', 0],
  ['{% with x=1 %}{% include which %}{% endwith %}', 'p1', 0],
  ['{% include both %}', 'rN', 1],
  ['{% include both only %}', 'rN', 1],
  ['{% with x=1 %}{% include "reads-all" with which=both %}{% endwith %}', 'rN', 1],
  ['{% include both with now=2 %}', 'r2', 0],
  ['{% include "reads-all" with which=both now=2 only %}', 'r2', 0],
  ['{% cycle 1 2 as c %}{% include which %}{{ now }}{{ now }}', '1pNN', 2],
] as const)('%s reads what it shows', (template, output, reads) => {
  expect(rendered(template)).toEqual({ output, reads });
});

test('a tree of blocks reads what its templates show', () => {
  const blocks = [{ type: 'reads-all', params: { which: 'plain', x: 1 } }];
  expect(rendered('{% blocks tree %}', { tree: blocks })).toEqual({ output: 'p1', reads: 0 });
});
