/** The hostile templates of the tests, by name. */
import { Engine } from '../../runtime/engine.ts';
import type { Attack } from '../../test/runtime/engine/attacks/attack.ts';
import { attackFunctions, attackSuites } from '../../test/runtime/engine/attacks/index.ts';
import { resourceContext } from '../../test/runtime/engine/attacks/resources.ts';

const attacks: ReadonlyMap<string, Attack> = new Map(
  Object.entries(attackSuites).flatMap(([suite, all]) =>
    Object.entries(all).map(([name, attack]) => [`${suite}: ${name}`, attack] as const),
  ),
);

export const attackNames: readonly string[] = [...attacks.keys()];

/** What the render of a hostile template ends with. */
export async function outcomeOfAttack(name: string): Promise<string> {
  const attack = attacks.get(name);
  if (attack === undefined) throw new Error(`there is no attack "${name}"`);
  const { template, templates = {}, context = {} } = attack;
  try {
    const engine = new Engine({
      load: (snippet) => (Object.hasOwn(templates, snippet) ? templates[snippet] : undefined),
      functions: attackFunctions,
    });
    const output = await engine.renderSource(template, 'page', { ...resourceContext, ...context });
    return `output of ${output.length} characters`;
  } catch (error) {
    return `error: ${String(error).slice(0, 200)}`;
  }
}
