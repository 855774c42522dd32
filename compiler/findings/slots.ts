/**
 * Finds content for slots that a component does not have, and `slots.name` of a slot that is nowhere output.
 * Included templates and layouts see the slots of a component, too.
 */
import type { Component, Expression } from '../../grammar/ast.ts';
import { asQuestion, nearest } from '../../grammar/suggest.ts';
import type { Facts } from '../facts.ts';
import { listExpressions, walkExpression, walkNodes } from '../walk.ts';
import { type CheckedTemplate, withSuggestion } from './report.ts';

export function reportSlots(subject: CheckedTemplate): void {
  const { template, facts, others } = subject;
  const slotsOf = slotsByComponent(others.factsOf);
  const outputs = new Set<string>();
  const reads: SlotRead[] = [];
  walkNodes(template.body, (node) => {
    if (node.type === 'Slot') outputs.add(node.name);
    if (node.type === 'Component') reportFills(node, slotsOf, subject);
    for (const expression of listExpressions(node)) {
      walkExpression(expression, (read) => {
        if (isSlotRead(read)) reads.push({ name: read.key, offset: read.end - read.key.length });
      });
    }
  });
  // A snippet without any slot may be a part of a component that has the slots.
  if (reads.length === 0 || (outputs.size === 0 && subject.world.isPage !== true)) return;
  const around = slotsAround(facts, others.factsOf);
  if (around === undefined) return;
  for (const { name, offset } of reads)
    if (!outputs.has(name) && !around.has(name)) reportSlot(offset, name, undefined, outputs, subject);
}

interface SlotRead {
  readonly name: string;
  readonly offset: number;
}

function isSlotRead(expression: Expression): expression is Expression & { readonly type: 'Member' } {
  return (
    expression.type === 'Member' && expression.object.type === 'Name' && expression.object.name === 'slots'
  );
}

type FactsOf = CheckedTemplate['others']['factsOf'];

function reportFills(
  node: Component,
  slotsOf: ReturnType<typeof slotsByComponent>,
  subject: CheckedTemplate,
): void {
  if (node.fills.length === 0 || node.template.kind === 'expression') return;
  const component = node.template.name;
  const slots = slotsOf(component);
  if (slots === undefined) return;
  for (const { name, start } of node.fills)
    if (!slots.has(name)) reportSlot(start, name, component, slots, subject);
}

function reportSlot(
  offset: number,
  name: string,
  component: string | undefined,
  slots: ReadonlySet<string>,
  { report }: CheckedTemplate,
): void {
  report(offset, 'template.unknownSlot', () => {
    const suggestion = nearest(name, slots);
    const owner = component === undefined ? 'this template' : `the component "${component}"`;
    const slot = name === 'default' ? 'default slot' : `slot "${name}"`;
    const reason = `${owner} has no ${slot}${asQuestion(suggestion)}`;
    return { reason, params: withSuggestion({ name, ...(component && { component }) }, suggestion) };
  });
}

/** The slots of a component; undefined if they cannot be known. Each component is looked at once. */
function slotsByComponent(factsOf: FactsOf): (name: string) => ReadonlySet<string> | undefined {
  const known = new Map<string, ReadonlySet<string> | undefined>();
  return (name) => {
    if (!known.has(name)) {
      const facts = factsOf(name);
      const around = facts && slotsAround(facts, factsOf);
      known.set(name, facts && around && new Set([...facts.slots, ...around]));
    }
    return known.get(name);
  };
}

/** Templates looked at for one component. */
const maxReached = 200;

/** The slots of all templates that see the slots of a template; undefined if they cannot be known. */
function slotsAround(facts: Facts, factsOf: FactsOf): ReadonlySet<string> | undefined {
  const slots = new Set<string>();
  const reached = new Set<string>();
  const open = [facts];
  for (let current = open.pop(); current !== undefined; current = open.pop()) {
    if (current.opensSlots || reached.size > maxReached) return undefined;
    if (current !== facts) for (const slot of current.slots) slots.add(slot);
    for (const { name, seesCaller } of current.dependencies) {
      if (!seesCaller || (name !== null && reached.has(name))) continue;
      const next = name === null ? undefined : factsOf(name);
      if (name === null || next === undefined) return undefined;
      reached.add(name);
      open.push(next);
    }
  }
  return slots;
}
