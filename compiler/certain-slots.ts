/**
 * The slots of a component whose content every render reads. Their content need not wait until a tag asks for it: the
 * caller writes it first, and gives the component finished texts in place of functions.
 */
import type { Expression, Node, Template } from '../grammar/ast.ts';
import { isName } from './content-reads.ts';
import type { Facts } from './facts.ts';

/**
 * Names of all slots, in the order in which a render first reads them. Empty if a render may leave one unread, or if
 * something else than this template may read them.
 */
export function certainSlotsOf(
  { body }: Template,
  facts: Pick<Facts, 'blocks' | 'bound' | 'dependencies' | 'macros' | 'opensSlots' | 'slots'>,
): readonly string[] {
  const { blocks, bound, dependencies, macros, opensSlots, slots } = facts;
  const isShared = opensSlots || blocks.length > 0 || macros.length > 0 || bound.includes('slots');
  if (slots.length === 0 || isShared || dependencies.some(({ seesCaller }) => seesCaller)) return [];
  const certain = new Set(namesIn(body));
  return slots.every((name) => certain.has(name)) ? [...certain] : [];
}

function* namesIn(nodes: readonly Node[]): Generator<string> {
  for (const node of nodes) {
    if (node.type === 'Slot') yield node.name;
    else if (node.type === 'With') yield* namesIn(node.body);
    else if (node.type === 'If') yield* nameInTest(node.branches[0]?.test);
  }
}

/** `slots.name`, where it is the first that a test reads. */
function* nameInTest(test: Expression | undefined): Generator<string> {
  if (test?.type === 'Member' && isName(test.object, 'slots')) yield test.key;
  else if (test?.type === 'Logical') yield* nameInTest(test.left);
  else if (test?.type === 'Unary') yield* nameInTest(test.operand);
}
