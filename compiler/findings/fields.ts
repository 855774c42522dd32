/**
 * Finds fields that a value does not have, where it is certain what the value is: an entry of a collection, an
 * object of the system, the state of a loop.
 */
import type { Expression, Filter, Node } from '../../grammar/ast.ts';
import { editDistance } from '../../grammar/edit-distance.ts';
import { asQuestion, type Meanings, nearest } from '../../grammar/suggest.ts';
import { loopFields } from '../emit/names.ts';
import { foreignFields } from '../foreign.ts';
import { assignedName } from '../scope.ts';
import { listBodies, listExpressions, listOperands, walkNodes } from '../walk.ts';
import { reportEntryField } from './collections.ts';
import type { SystemObjects } from './content-lookup.ts';
import {
  bindAssigned,
  createBodyKindScope,
  createRootKindScope,
  inferKind,
  type KindScope,
  type Signatures,
  type ValueKind,
} from './kinds.ts';
import { layoutsAbove } from './layouts.ts';
import { type CheckedTemplate, withSuggestion } from './report.ts';

/** Fields that every entry has besides the fields of its collection. */
const entryFields = new Set(['id', 'published', '_created', '_updated', '_url']);

/** Fields of `forloop`. */
const fieldsOfLoop: ReadonlySet<string> = new Set([...loopFields.keys(), 'parentloop']);

/** Every map has these, as in Django. */
const mapViews: ReadonlySet<string> = new Set(['items', 'keys', 'values']);

export function reportFields(subject: CheckedTemplate): void {
  const signatures = { ...subject.options, linkOf: subject.world.linkOf };
  const search = { ...subject, signatures, rebound: reboundNames(subject) };
  checkBody(subject.template.body, createRootKindScope(), search);
}

interface Search extends CheckedTemplate {
  readonly signatures: Signatures;
  /** Names of the system that the template, or a layout around its blocks, also gives to other values. */
  readonly rebound: ReadonlySet<string>;
}

/** A loop may assign a name after it has read it; then the next round reads the assigned value. */
function reboundNames(subject: CheckedTemplate): ReadonlySet<string> {
  const rebound = new Set(layoutsAbove(subject).layouts.flatMap(({ bound }) => bound));
  walkNodes(subject.template.body, (node) => {
    const name = assignedName(node);
    if (name !== undefined) rebound.add(name);
  });
  return rebound;
}

function checkBody(nodes: readonly Node[], known: KindScope, search: Search): void {
  for (const node of nodes) {
    for (const expression of listExpressions(node)) checkFields(expression, known, search);
    for (const body of listBodies(node))
      checkBody(body, createBodyKindScope(node, known, search.signatures), search);
    bindAssigned(node, known, search.signatures);
  }
}

function checkFields(expression: Expression, known: KindScope, search: Search): void {
  const read = fieldRead(expression);
  if (read !== undefined) {
    const owner = inferKind(read.object, known, search.signatures);
    if (owner?.of === 'entry') checkEntry(owner.slug, read, search);
    else if (owner !== undefined) checkObject(owner, read, search);
    checkFileId(read, known, search);
  }
  if (expression.type === 'Filter') checkMarkdown(expression, known, search);
  for (const operand of listOperands(expression)) checkFields(operand, known, search);
}

/** `entry.picture.url` prints nothing: the value of the field is the ID of a file. */
function checkFileId({ object, field, offset }: FieldRead, known: KindScope, search: Search): void {
  const inner = fieldRead(object);
  const owner = inner && inferKind(inner.object, known, search.signatures);
  if (inner === undefined || owner?.of !== 'entry' || owner.slug === undefined) return;
  const { slug } = owner;
  const make = search.world.fileFunctionOf?.(slug, inner.field);
  if (make === undefined) return;
  search.report(offset, 'template.unknownField', () => ({
    reason: `"${inner.field}" is the ID of a file, which has no field "${field}": write ${make}(...${inner.field}).${field}`,
    params: { collection: slug, field: `${inner.field}.${field}`, name: field },
  }));
}

/** Markdown passes HTML, which visitors may have written into an entry of a live collection. */
function checkMarkdown({ name, input, args, start }: Filter, known: KindScope, search: Search): void {
  const read = name === 'markdown' && !args.some(isSafe) ? fieldRead(input) : undefined;
  const owner = read && inferKind(read.object, known, search.signatures);
  if (read === undefined || owner?.of !== 'entry' || owner.slug === undefined) return;
  if (search.world.isLive?.(owner.slug) !== true) return;
  search.report(start, 'template.unsafeContext', () => ({
    reason: `visitors may have written "${read.field}", and Markdown passes HTML: write {{ value|markdown:"safe" }}`,
    params: { place: 'markdown', name: read.field },
  }));
}

function isSafe(argument: Expression): boolean {
  return argument.type === 'Literal' && argument.value === 'safe';
}

interface FieldRead {
  readonly object: Expression;
  readonly field: string;
  /** Where the name of the field begins. */
  readonly offset: number;
}

/** `object.field` and `object["field"]`. */
function fieldRead(expression: Expression): FieldRead | undefined {
  if (expression.type === 'Member') {
    const { object, key, end } = expression;
    return { object, field: key, offset: end - key.length };
  }
  if (expression.type !== 'Index' || expression.index.type !== 'Literal') return undefined;
  const { object, index } = expression;
  return typeof index.value === 'string' ? { object, field: index.value, offset: index.start } : undefined;
}

function checkEntry(slug: string | undefined, { field, offset }: FieldRead, { world, report }: Search): void {
  const fields = slug === undefined ? undefined : world.fieldsOf?.(slug);
  if (slug === undefined || fields === undefined || fields === 'any') return;
  if (!fields.has(field) && !entryFields.has(field)) reportEntryField(offset, slug, field, fields, report);
}

function checkObject(owner: ValueKind, { object, field, offset }: FieldRead, search: Search): void {
  const { world, rebound, report } = search;
  const fields = fieldsOf(owner, world.system);
  if (fields === undefined || fields.has(field) || mapViews.has(field)) return;
  if (isRebound(object, rebound)) return;
  // A template that includes a snippet may give another value the name of a variable of the system. Then only a
  // field that differs from one of ours by a single slip is certain enough.
  const mayBeOther = world.isPage !== true && isSystemVariable(object, world.system);
  if (mayBeOther && !isOneSlipFrom(field, fields)) return;
  report(offset, 'template.unknownField', () => {
    const name = nameOf(owner);
    const suggestion = suggestedField(field, fields);
    return {
      reason: `${name} has no field "${field}"${asQuestion(suggestion)}`,
      params: withSuggestion({ name: field, object: name }, suggestion),
    };
  });
}

/** The fields of an object of the system; undefined if they are not known. */
function fieldsOf({ of }: ValueKind, system: SystemObjects | undefined): ReadonlySet<string> | undefined {
  if (of === 'loop') return fieldsOfLoop;
  if (of === 'navPage') return system?.navFields;
  if (of !== 'page' && of !== 'site' && of !== 'route') return undefined;
  const fields = system?.variables.get(of);
  return fields === 'any' ? undefined : fields;
}

function nameOf({ of }: ValueKind): string {
  if (of === 'loop') return 'forloop';
  return of === 'navPage' ? 'an entry of nav() or children()' : of;
}

function suggestedField(field: string, fields: ReadonlySet<string>): string | undefined {
  const meanings: Meanings = new Map([...foreignFields].filter(([, meaning]) => fields.has(meaning)));
  return nearest(field, fields, meanings);
}

/** Whether a word, not too short to be another one, differs from a field by one slip. */
function isOneSlipFrom(word: string, fields: ReadonlySet<string>): boolean {
  if (word.length < 4 || word.length > 40) return false;
  for (const field of fields) {
    if (Math.abs(field.length - word.length) <= 1 && editDistance(word, field) === 1) return true;
  }
  return false;
}

function isSystemVariable(object: Expression, system: SystemObjects | undefined): boolean {
  const name = rootName(object);
  return name !== undefined && system?.variables.has(name) === true;
}

function isRebound(object: Expression, rebound: ReadonlySet<string>): boolean {
  const name = rootName(object);
  return name !== undefined && rebound.has(name);
}

/** The variable that a lookup begins with. */
function rootName(expression: Expression): string | undefined {
  if (expression.type === 'Name') return expression.name;
  return expression.type === 'Member' || expression.type === 'Index'
    ? rootName(expression.object)
    : undefined;
}
