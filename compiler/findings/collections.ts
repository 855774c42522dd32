/**
 * Finds collections, and fields of their entries, that a template names and that do not exist. A field is
 * reported only where the collection is certain: in the arguments of `data()` and `item()`, and in fields of
 * their entries.
 */
import type { Expression, Node, Template } from '../../grammar/ast.ts';
import { didYouMean } from '../../grammar/suggest.ts';
import type { Facts } from '../facts.ts';
import { bodiesOf, expressionsOf, operandsOf } from '../walk.ts';
import { bindAssigned, type Known, kindOf, knownInside, knownToAll, type Signatures } from './kinds.ts';
import type { ReportFinding } from './report.ts';

/** Field names of a collection or source, undefined if there is none of that slug. */
export type CollectionFields = (slug: string) => ReadonlySet<string> | 'any' | undefined;

/** Fields that every entry has besides the fields of its collection. */
const entryFields = new Set(['id', 'published', '_created', '_updated', '_url']);

/** Names in queries that are not fields of the collection: sorting, limits, search, and the ID. */
const queryNames = new Set(['_sort', '_limit', '_offset', '_search', 'id']);

export function reportCollections(
  template: Template,
  facts: Facts,
  fieldsOf: CollectionFields,
  signatures: Signatures,
  report: ReportFinding,
): void {
  for (const { slug, offset, fields } of facts.collections) {
    const known = fieldsOf(slug);
    if (known === undefined) {
      const reason = () => `there is no collection "${slug}"`;
      report(offset, 'template.unknownCollection', { collection: slug }, reason);
    } else if (known !== 'any') {
      for (const field of fields) {
        const name = field.name.replace(/__[a-z]+$/, '');
        if (!known.has(name) && !queryNames.has(name)) reportField(field.offset, slug, name, known, report);
      }
    }
  }
  checkBody(template.body, knownToAll(), { fieldsOf, signatures, report });
}

interface Subject {
  readonly fieldsOf: CollectionFields;
  readonly signatures: Signatures;
  readonly report: ReportFinding;
}

function checkBody(nodes: readonly Node[], known: Known, subject: Subject): void {
  for (const node of nodes) {
    for (const expression of expressionsOf(node)) checkFields(expression, known, subject);
    for (const body of bodiesOf(node)) checkBody(body, knownInside(node, known, subject.signatures), subject);
    bindAssigned(node, known, subject.signatures);
  }
}

function checkFields(expression: Expression, known: Known, subject: Subject): void {
  if (expression.type === 'Member') {
    const owner = kindOf(expression.object, known, subject.signatures);
    const slug = owner?.of === 'entry' ? owner.slug : undefined;
    const fields = slug === undefined ? undefined : subject.fieldsOf(slug);
    if (slug !== undefined && fields !== undefined && fields !== 'any') {
      const { key, end } = expression;
      if (!fields.has(key) && !entryFields.has(key))
        reportField(end - key.length, slug, key, fields, subject.report);
    }
  }
  for (const operand of operandsOf(expression)) checkFields(operand, known, subject);
}

function reportField(
  offset: number,
  collection: string,
  field: string,
  fields: ReadonlySet<string>,
  report: ReportFinding,
) {
  const reason = () => `"${collection}" has no field "${field}"${didYouMean(field, fields)}`;
  report(offset, 'template.unknownField', { collection, field }, reason);
}
