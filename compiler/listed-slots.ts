/**
 * The slots of a component that callers give in a list, without an object for them. Content that every render reads
 * need not wait until a tag asks for it: the caller writes it first, and gives a finished text. Other content is a
 * function in the list, which the component calls at most once.
 */
import type { Expression, Node, Template } from '../grammar/ast.ts';
import { isName } from './content-reads.ts';
import type { Facts, ListedSlot } from './facts.ts';

/**
 * All slots of a template: first those that every render reads, in the order in which it first reads them. Empty if
 * something else than this template, or a template that it includes, may read them.
 */
export function listTemplateSlots(
  { body }: Template,
  facts: Pick<Facts, 'blocks' | 'bound' | 'dependencies' | 'macros' | 'opensSlots' | 'slots'>,
): readonly ListedSlot[] {
  const { blocks, bound, dependencies, macros, opensSlots, slots } = facts;
  const isShared = opensSlots || blocks.length > 0 || macros.length > 0 || bound.includes('slots');
  if (slots.length === 0 || isShared || dependencies.some(({ kind }) => kind === 'extends')) return [];
  const certain = new Set(namesIn(body));
  const other = slots.filter((name) => !certain.has(name));
  return [
    ...[...certain].map((name) => ({ name, isCertain: true })),
    ...other.map((name) => ({ name, isCertain: false })),
  ];
}

function* namesIn(nodes: readonly Node[]): Generator<string> {
  for (const node of nodes) {
    switch (node.type) {
      case 'Slot':
        yield node.name;
        break;
      case 'If':
        yield* nameInTest(node.branches[0]?.test);
        break;
      case 'With':
      case 'Autoescape':
      case 'Spaceless':
      case 'FilterBlock':
      case 'Partial':
      case 'Cache':
        yield* namesIn(node.body);
        break;
      default:
    }
  }
}

/** `slots.name`, where it is the first that a test reads. */
function* nameInTest(test: Expression | undefined): Generator<string> {
  if (test?.type === 'Member' && isName(test.object, 'slots')) yield test.key;
  else if (test?.type === 'Logical') yield* nameInTest(test.left);
  else if (test?.type === 'Unary') yield* nameInTest(test.operand);
}
