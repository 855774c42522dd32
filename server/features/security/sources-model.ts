import Type, { type Static } from 'typebox';
import { directives } from '../../../runtime/page/loads/loads.ts';

const pages = Type.Integer({ description: 'Number of pages that have it.' });

/** Beyond the specification: what a policy must allow. */
export const SecuritySources = Type.Object(
  {
    pages: Type.Integer({ description: 'Number of published pages that were looked at.' }),
    skipped: Type.Integer({ description: 'Pages that show nothing, for example because of an error.' }),
    complete: Type.Boolean({ description: 'False if there are more pages than are looked at.' }),
    directives: Type.Array(
      Type.Object(
        {
          directive: Type.Enum(directives, { description: 'Directive of a Content-Security-Policy.' }),
          sources: Type.Array(
            Type.Object(
              {
                source: Type.String({ description: "`'self'`, an origin, or a scheme such as `data:`." }),
                pages,
              },
              { description: 'A source.' },
            ),
            { description: 'Where pages load this from, most frequent first.' },
          ),
        },
        { description: 'What pages load under one directive.' },
      ),
      { description: 'One entry for each directive, also for those without sources.' },
    ),
    inline: Type.Array(
      Type.Object(
        {
          kind: Type.Enum(['script', 'event handler', 'style', 'style attribute'], {
            description: 'What is inline in the pages.',
          }),
          different: Type.Integer({ description: 'Number of different ones.' }),
          hashes: Type.Array(
            Type.Object(
              { hash: Type.String({ description: 'As a source of a policy.' }), pages },
              { description: 'One of them.' },
            ),
            { description: 'Most frequent first; at most 50.' },
          ),
        },
        { description: 'Inline parts of one kind.' },
      ),
      { description: 'What only hashes or `unsafe-inline` allow.' },
    ),
    policy: Type.String({
      description:
        'The strictest policy under which these pages work as far as this shows; empty if it would be too long for `csp`.',
    }),
  },
  { title: 'SecuritySources', description: 'What the pages of the websites load.' },
);
export type SecuritySources = Static<typeof SecuritySources>;
