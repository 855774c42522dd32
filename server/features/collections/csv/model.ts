import Type, { type Static } from 'typebox';
import { Collection } from '../model.ts';

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const dryRun = flag('Only report what would be done.');

export const ImportQuery = Type.Object({
  dry_run: dryRun,
  replace: flag('Delete the entries that the file does not have; without `key` all that exist.'),
});

export const NewImportQuery = Type.Object({ dry_run: dryRun });

const file = Type.String({ format: 'binary', description: 'CSV in UTF-8, at most 32 MB and 50,000 rows.' });
const mapping = Type.Optional(
  Type.String({
    description:
      'JSON list with one item per column: a field, empty (ignored), `_published`, `_draft` or `_id`. Default: by name.',
  }),
);

export const ImportForm = Type.Object(
  {
    file,
    mapping,
    key: Type.Optional(
      Type.String({ description: 'A field, or `_id`: rows with the value of an entry change that entry.' }),
    ),
  },
  { title: 'EntriesFile', description: 'A CSV file with entries.' },
);

export const NewImportForm = Type.Object(
  {
    file,
    mapping,
    name: Type.Optional(Type.String({ description: 'Name of the collection, for the suggestion.' })),
    collection: Type.Optional(
      Type.String({ description: 'The collection as JSON, as in POST /collections. Default: suggested.' }),
    ),
  },
  { title: 'CollectionFile', description: 'A CSV file that becomes a collection.' },
);

const Problem = Type.Object(
  {
    row: Type.Integer({ description: 'Row of the file; the header is 1.' }),
    column: Type.String({ description: 'Name of the column; empty for the whole row.' }),
    message: Type.String({ description: 'English text for humans.' }),
    code: Type.String({ description: 'Stable, never renamed.' }),
    params: Type.Record(Type.String(), Type.Unknown(), { description: 'Variable parts of the text.' }),
  },
  { title: 'CsvProblem', description: 'What is wrong with a row.' },
);
export type Problem = Static<typeof Problem>;

const Column = Type.Object(
  {
    name: Type.String({ description: 'Header of the column.' }),
    samples: Type.Array(Type.String(), { description: 'First values.' }),
  },
  { title: 'CsvColumn', description: 'A column of the file.' },
);

const PreviewRow = Type.Object(
  {
    data: Type.Record(Type.String(), Type.Unknown(), { description: 'Values by field.' }),
    published: Type.Boolean({ description: 'False for a draft.' }),
    action: Type.Union([Type.Literal('create'), Type.Literal('update')], { description: 'What is done.' }),
    id: Type.Integer({ description: 'ID of the entry that is changed; 0 for a new one.' }),
  },
  { title: 'CsvPreviewRow', description: 'What a row becomes.' },
);

const count = (description: string) => Type.Integer({ description });

export const ImportResult = Type.Object(
  {
    delimiter: Type.String({ description: 'Comma, semicolon or tab.' }),
    rows: count('Rows with data.'),
    columns: Type.Array(Column, { description: 'Columns of the file.' }),
    mapping: Type.Array(Type.String(), { description: 'What each column becomes.' }),
    key: Type.String({ description: 'Field by which rows find entries; empty = none.' }),
    preview: Type.Array(PreviewRow, { description: 'The first rows as entries.' }),
    errors: Type.Array(Problem, { description: 'The first errors.' }),
    error_count: count('Number of all errors.'),
    warnings: Type.Array(Problem, { description: 'The first warnings.' }),
    warning_count: count('Number of all warnings.'),
    created: count('New entries.'),
    updated: count('Changed entries.'),
    deleted: count('Deleted entries.'),
    imported: count('New and changed entries.'),
    collection: Type.Optional(
      Type.Union(
        [
          Collection,
          Type.Object(
            {
              slug: Type.String({ description: 'Suggested slug.' }),
              name: Type.String({ description: 'Suggested name.' }),
              fields: Type.Array(Type.Unknown(), { description: 'Suggested fields.' }),
            },
            { title: 'SuggestedCollection', description: 'A collection that fits the file.' },
          ),
        ],
        { description: 'The new collection, or the suggestion for it.' },
      ),
    ),
  },
  { title: 'CsvImportResult', description: 'What an import did, or would do.' },
);
export type ImportResult = Static<typeof ImportResult>;
