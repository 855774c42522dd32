/** Finds collections, and names of their fields in the arguments of `data()` and `item()`, that do not exist. */
import { asQuestion, nearest } from '../../grammar/suggest.ts';
import { type CheckedTemplate, type ReportFinding, withSuggestion } from './report.ts';

/** Names in queries that are not fields of the collection: sorting, limits, search, and the ID. */
const queryNames = new Set(['_sort', '_limit', '_offset', '_search', 'id']);

export function reportCollections({ facts, world, report }: CheckedTemplate): void {
  const { fieldsOf } = world;
  if (fieldsOf === undefined) return;
  for (const { slug, offset, fields } of facts.collections) {
    const known = fieldsOf(slug);
    if (known === undefined) {
      const reason = `there is no collection "${slug}"`;
      report(offset, 'template.unknownCollection', () => ({ reason, params: { collection: slug } }));
    } else if (known !== 'any') {
      for (const field of fields) {
        const name = field.name.replace(/__[a-z]+$/, '');
        if (!known.has(name) && !queryNames.has(name))
          reportEntryField(field.offset, slug, name, known, report);
      }
    }
  }
}

/** Reports a field that the entries of a collection do not have. */
export function reportEntryField(
  offset: number,
  collection: string,
  field: string,
  fields: ReadonlySet<string>,
  report: ReportFinding,
): void {
  report(offset, 'template.unknownField', () => {
    const suggestion = nearest(field, fields);
    const reason = `"${collection}" has no field "${field}"${asQuestion(suggestion)}`;
    return { reason, params: withSuggestion({ collection, field, name: field }, suggestion) };
  });
}
