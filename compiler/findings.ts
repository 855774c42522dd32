/**
 * Static findings that do not keep a template from working: it names something that is not there. Only what is certain
 * is reported; a name that is computed, or an entry of unknown collection, is nobody's mistake.
 */
import type { Expression, Node, Template } from '../grammar/ast.ts';
import { didYouMean, errorAt, type TemplateError } from '../grammar/errors.ts';
import { splitName } from '../grammar/names.ts';
import type { Facts } from './facts.ts';
import { bodiesOf, expressionsOf, operandsOf } from './walk.ts';

/** What exists besides the template. A question that is absent is not asked. */
export interface World {
  hasSnippet(name: string): boolean;
  hasAsset?(id: number): boolean;
  /** Field names of a collection or source, undefined if there is none of that slug. */
  fieldsOf?(slug: string): ReadonlySet<string> | 'any' | undefined;
}

export type FindingCode =
  | 'template.unknownSnippet'
  | 'template.unknownCollection'
  | 'template.unknownField'
  | 'template.unknownAsset';

export interface Finding {
  readonly code: FindingCode;
  readonly error: TemplateError;
  readonly params: Readonly<Record<string, string | number>>;
}

/** Findings in order of position (open points 2 and 12, "Templates"). */
export function findProblems(template: Template, facts: Facts, world: World): readonly Finding[] {
  const findings: { offset: number; finding: Finding }[] = [];
  const report = (offset: number, code: FindingCode, params: Finding['params'], reason: string) => {
    findings.push({ offset, finding: { code, params, error: errorAt(template, offset, reason) } });
  };
  reportSnippets(facts, world, report);
  reportAssets(facts, world, report);
  reportCollections(template, facts, world, report);
  return findings.sort((a, b) => a.offset - b.offset).map(({ finding }) => finding);
}

type Report = (offset: number, code: FindingCode, params: Finding['params'], reason: string) => void;

function reportSnippets(facts: Facts, world: World, report: Report): void {
  for (const { name, word, offset } of facts.dependencies) {
    // A bare word may be a variable that holds the name.
    if (name === null || word || world.hasSnippet(splitName(name).template)) continue;
    report(offset, 'template.unknownSnippet', { name }, `there is no snippet "${name}"`);
  }
}

function reportAssets(facts: Facts, world: World, report: Report): void {
  for (const { id, offset } of facts.assets) {
    if (world.hasAsset?.(id) === false)
      report(offset, 'template.unknownAsset', { id }, `there is no asset ${id}`);
  }
}

// -------------------------------------------------------------------------------------------- collections

/** Names bound to entries of a collection, by the collection's slug. */
type Entries = ReadonlyMap<string, string>;

/** Fields every entry has besides its own (open points 2). */
const entryFields = new Set(['id', 'published', '_created', '_updated', '_url']);

/** Names of queries that are no fields (open points 6). */
const queryNames = new Set(['_sort', '_limit', '_offset', '_search', 'id']);

function reportCollections(template: Template, facts: Facts, world: World, report: Report): void {
  const fieldsOf = world.fieldsOf?.bind(world);
  if (fieldsOf === undefined) return;
  for (const { slug, offset, fields } of facts.collections) {
    const known = fieldsOf(slug);
    if (known === undefined) {
      report(offset, 'template.unknownCollection', { collection: slug }, `there is no collection "${slug}"`);
    } else if (known !== 'any') {
      for (const field of fields) {
        const name = field.name.replace(/__[a-z]+$/, '');
        if (!known.has(name) && !queryNames.has(name)) reportField(field.offset, slug, name, known, report);
      }
    }
  }
  const subject = { fieldsOf, report };
  walkBody(template.body, new Map(), subject);
}

interface Subject {
  readonly fieldsOf: (slug: string) => ReadonlySet<string> | 'any' | undefined;
  readonly report: Report;
}

function walkBody(nodes: readonly Node[], outer: Entries, subject: Subject): void {
  let entries = outer;
  for (const node of nodes) {
    for (const expression of expressionsOf(node)) checkFields(expression, entries, subject);
    const inner = bodyEntries(node, entries);
    for (const body of bodiesOf(node)) walkBody(body, inner, subject);
    if (node.type === 'Set') entries = withEntry(entries, node.name, entryCollection(node.value, entries));
  }
}

/** What the bodies of a node know: loop variables over `data()`, bindings of `with`; macros know nothing. */
function bodyEntries(node: Node, entries: Entries): Entries {
  switch (node.type) {
    case 'For': {
      const slug = node.targets.length === 1 ? listCollection(node.iterable) : undefined;
      return node.targets.reduce((known, target) => withEntry(known, target, slug), entries);
    }
    case 'With':
      return node.bindings.reduce(
        (known, { name, value }) => withEntry(known, name, entryCollection(value, entries)),
        entries,
      );
    case 'Macro':
      return new Map();
    default:
      return entries;
  }
}

function withEntry(entries: Entries, name: string, slug: string | undefined): Entries {
  if (slug === undefined && !entries.has(name)) return entries;
  const next = new Map(entries);
  if (slug === undefined) next.delete(name);
  else next.set(name, slug);
  return next;
}

function listCollection(expression: Expression): string | undefined {
  return calledWith(expression, 'data');
}

function entryCollection(expression: Expression, entries: Entries): string | undefined {
  if (expression.type === 'Name') return entries.get(expression.name);
  return calledWith(expression, 'item');
}

function calledWith(expression: Expression, name: string): string | undefined {
  if (expression.type !== 'Call' || expression.callee.type !== 'Name' || expression.callee.name !== name)
    return undefined;
  const [slug] = expression.args;
  return slug?.type === 'Literal' && typeof slug.value === 'string' ? slug.value : undefined;
}

function checkFields(expression: Expression, entries: Entries, subject: Subject): void {
  if (expression.type === 'Member') {
    const slug = entryCollection(expression.object, entries);
    const fields = slug === undefined ? undefined : subject.fieldsOf(slug);
    if (slug !== undefined && fields !== undefined && fields !== 'any') {
      const { key, end } = expression;
      if (!fields.has(key) && !entryFields.has(key))
        reportField(end - key.length, slug, key, fields, subject.report);
    }
  }
  for (const operand of operandsOf(expression)) checkFields(operand, entries, subject);
}

function reportField(
  offset: number,
  collection: string,
  field: string,
  fields: ReadonlySet<string>,
  report: Report,
) {
  const reason = `"${collection}" has no field "${field}"${didYouMean(field, fields)}`;
  report(offset, 'template.unknownField', { collection, field }, reason);
}
