import Type, { type Static } from 'typebox';
import { fieldLimits, serverFields } from '../../content/common-fields.ts';

const text = (description: string, maxLength: number = fieldLimits.name) =>
  Type.String({ maxLength, description });

const headers = Type.Record(Type.String(), Type.String({ maxLength: fieldLimits.text }), {
  description: 'Further headers; `{name}` and `{env.NAME}` are replaced. Read-only tokens see no values.',
});
const method = Type.Union([Type.Literal('GET'), Type.Literal('POST')], {
  description: 'Method of the request.',
});
const url = text('Absolute http(s) address; `{name}` and `{env.NAME}` are replaced.', 4000);
const listPath = text('Where the list is in the answer, as names with dots; empty = the whole answer.', 1000);
const timeout = Type.Integer({
  minimum: 1,
  maximum: 60,
  description: 'Seconds until the request is given up.',
});

const fields = {
  slug: text('Name in `data(slug)`, unique among collections and sources.'),
  name: text('Name for people; default: the slug.'),
  method,
  url,
  headers,
  body: text('JSON body of a POST; `{name}` and `{env.NAME}` are replaced.', fieldLimits.text * 10),
  list_path: listPath,
  cache_ttl: Type.Integer({
    minimum: 0,
    maximum: 31_536_000,
    description: 'Seconds for which an answer is kept; 0 = not at all.',
  }),
  timeout,
};

export const Source = Type.Object(
  {
    id: serverFields.id,
    ...fields,
    created_at: serverFields.created_at,
    updated_at: serverFields.updated_at,
  },
  { title: 'Source', description: 'Data that another service answers with.' },
);
export type Source = Static<typeof Source>;

const optional = {
  name: Type.Optional(fields.name),
  method: Type.Optional(method),
  headers: Type.Optional(headers),
  body: Type.Optional(fields.body),
  list_path: Type.Optional(listPath),
  cache_ttl: Type.Optional(fields.cache_ttl),
  timeout: Type.Optional(timeout),
};

export const SourceCreate = Type.Object(
  { slug: fields.slug, url, ...optional },
  {
    title: 'SourceCreate',
    description: 'A new source.',
    examples: [{ slug: 'weather', url: 'https://api.example.com/weather?city={city}', list_path: 'days' }],
  },
);
export type SourceCreate = Static<typeof SourceCreate>;

export const SourceUpdate = Type.Object(
  { slug: Type.Optional(fields.slug), url: Type.Optional(url), ...optional },
  {
    title: 'SourceUpdate',
    description:
      'The fields of a source that change. A `url` with another scheme, host or port clears `headers` that are not sent with it.',
    examples: [{ timeout: 5 }],
  },
);
export type SourceUpdate = Static<typeof SourceUpdate>;

export const SourceTest = Type.Object(
  {
    url,
    method: Type.Optional(method),
    headers: Type.Optional(headers),
    body: Type.Optional(fields.body),
    list_path: Type.Optional(listPath),
    timeout: Type.Optional(timeout),
    params: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description: 'Values of the placeholders.',
      }),
    ),
  },
  {
    title: 'SourceTest',
    description: 'A source to try, which is not saved.',
    examples: [{ url: 'https://api.example.com/weather?city={city}', params: { city: 'Oslo' } }],
  },
);
export type SourceTest = Static<typeof SourceTest>;

export const SourceTestResult = Type.Object(
  {
    result: Type.Object(
      {
        status: Type.Integer({ description: 'Status of the answer; 0 without one.' }),
        url: Type.String({ description: 'The address that was asked; values of `env` are hidden.' }),
        headers: Type.Record(Type.String(), Type.String(), {
          description: 'Headers of the answer, their names in lower case; values of `env` are hidden.',
        }),
        duration_ms: Type.Integer({ description: 'How long it took.' }),
        data: Type.Unknown({ description: 'The list in the answer, or null.' }),
        raw: Type.Unknown({ description: 'The whole answer; text if it is not JSON.' }),
        cached: Type.Boolean({ description: 'Whether the answer was kept from before.' }),
      },
      { title: 'SourceAnswer', description: 'The answer of the other service.' },
    ),
    error: Type.Optional(Type.String({ description: 'What went wrong, in English.' })),
    error_code: Type.Optional(Type.String({ description: 'Code of the error.' })),
    error_params: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Variable parts of the error.' }),
    ),
  },
  { title: 'SourceTestResult', description: 'What a source answers.' },
);
export type SourceTestResult = Static<typeof SourceTestResult>;
