import Type, { type Static } from 'typebox';
import { defineRoute, type Route } from '../../../api/route.ts';
import { fieldLimits, IdParams } from '../../../content/common-fields.ts';
import { requireObject } from '../../../content/kinds/objects.ts';
import { findReferrers } from '../../../content/kinds/references.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { SharedServices } from '../../../feature.ts';
import { snippetKind } from '../../snippets/service.ts';
import { listPagesWithWords } from './store.ts';

const SnippetContent = Type.Object(
  { content: Type.String({ maxLength: fieldLimits.template, description: 'Unsaved template.' }) },
  {
    title: 'SnippetContent',
    description: 'The content that a snippet would have.',
    examples: [{ content: '<footer>{% region footer %}{% endregion %}</footer>' }],
  },
);

const LostRegion = Type.Object(
  {
    page_id: Type.Integer({ description: 'ID of the page.' }),
    path: Type.String({ description: 'Its path.' }),
    name: Type.String({ description: 'Name of the region.' }),
  },
  { title: 'LostRegion', description: 'Words of a page that would show no more.' },
);

const SnippetImpact = Type.Object(
  {
    templates: Type.Integer({
      description: 'How many pages and snippets use the snippet, also through others.',
    }),
    regions: Type.Array(LostRegion, { description: 'Words that would show no more. They stay stored.' }),
  },
  { title: 'SnippetImpact', description: 'What another content of a snippet would do.' },
);
type SnippetImpact = Static<typeof SnippetImpact>;

/** POST /snippets/{id}/impact */
export function impactRoute({ snapshots, pool }: Pick<SharedServices, 'snapshots' | 'pool'>): Route {
  return defineRoute({
    method: 'POST',
    path: '/snippets/{id}/impact',
    access: 'read',
    needs: 'objects',
    summary: 'Find out what another content of a snippet would do',
    params: IdParams,
    body: SnippetContent,
    response: SnippetImpact,
    errors: ['common.busy'],
    handle: async ({ params, body }) => {
      const { name, templates, pageIds } = await snapshots.read((db) => findDependents(db, params.id));
      const regions: SnippetImpact['regions'] = [];
      for (let start = 0; start < pageIds.length; start += pagesAtOnce) {
        const slice = pageIds.slice(start, start + pagesAtOnce);
        const { content } = body;
        regions.push(...(await pool.request({ kind: 'region-losses', name, content, pageIds: slice })));
      }
      return { templates, regions };
    },
  });
}

/** Pages that one task looks at, so that others have their turn. */
const pagesAtOnce = 50;
const maxReferrers = 1_000_000;

interface Dependents {
  /** Name of the snippet. */
  readonly name: string;
  /** Number of pages and snippets that lead to it. */
  readonly templates: number;
  /** Those of the pages that have words. */
  readonly pageIds: readonly number[];
}

/** @throws ApiError `common.notFound` */
async function findDependents(db: ContentDb, id: number): Promise<Dependents> {
  const { name } = await requireObject(snippetKind, db, id);
  const pages = new Set<number>();
  const snippets = new Set([name]);
  // The loop also visits snippets that are added while it runs.
  for (const key of snippets) {
    for (const referrer of await findReferrers(db, { kind: 'snippet', key }, maxReferrers)) {
      if (referrer.kind === 'page') pages.add(referrer.id);
      if (referrer.kind !== 'snippet') continue;
      const snippet = await snippetKind.find(db, referrer.id);
      if (snippet !== undefined) snippets.add(snippet.name);
    }
  }
  const withWords = await listPagesWithWords(db);
  const pageIds = withWords.filter((pageId) => pages.has(pageId));
  return { name, templates: pages.size + snippets.size - 1, pageIds };
}
