/** The hostile templates of the tests, by name. */
import { Engine, type TemplateFunction } from '../../runtime/engine.ts';
import type { Attack } from '../../test/runtime/engine/attacks/attack.ts';
import { codeAttacks } from '../../test/runtime/engine/attacks/code.ts';
import { compilingAttacks } from '../../test/runtime/engine/attacks/compiling.ts';
import { markupAttacks } from '../../test/runtime/engine/attacks/markup.ts';
import { nameAttacks } from '../../test/runtime/engine/attacks/names.ts';
import { recursionAttacks } from '../../test/runtime/engine/attacks/recursion.ts';
import { resourceAttacks, resourceContext } from '../../test/runtime/engine/attacks/resources.ts';
import { valueAttacks } from '../../test/runtime/engine/attacks/values.ts';

const attacks: ReadonlyMap<string, Attack> = new Map(
  Object.entries({
    nameAttacks,
    codeAttacks,
    resourceAttacks,
    valueAttacks,
    compilingAttacks,
    recursionAttacks,
    markupAttacks,
  }).flatMap(([suite, all]) =>
    Object.entries(all).map(([name, attack]) => [`${suite}: ${name}`, attack] as const),
  ),
);

export const attackNames: readonly string[] = [...attacks.keys()];

const functions = new Map<string, TemplateFunction>([
  ['echo', { call: (_host, args, named) => ({ args, named }) }],
]);

/** What the render of a hostile template ends with. */
export async function outcomeOfAttack(name: string): Promise<string> {
  const attack = attacks.get(name);
  if (attack === undefined) throw new Error(`there is no attack "${name}"`);
  const { template, templates = {}, context = {} } = attack;
  try {
    const engine = new Engine({
      load: (snippet) => (Object.hasOwn(templates, snippet) ? templates[snippet] : undefined),
      functions,
    });
    const output = await engine.renderSource(template, 'page', { ...resourceContext, ...context });
    return `output of ${output.length} characters`;
  } catch (error) {
    return `error: ${String(error).slice(0, 200)}`;
  }
}
