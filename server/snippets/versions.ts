import { keepRevision } from '../revisions/keep.ts';
import type { ObjectState } from '../revisions/model.ts';
import type { Versioned } from '../revisions/service.ts';
import type { TemplateAnalysis } from '../templates.ts';
import type { Snippet, SnippetUpdate } from './model.ts';
import { getSnippet, presentSavedSnippet, updateSnippet } from './service.ts';

/**
 * How versions of snippets are shown and restored: content, description and schema come back, and a version without
 * schema leaves the one that is there (Core, "Version history").
 */
export function snippetVersions(templates: TemplateAnalysis): Versioned {
  return {
    present: async (data) => data,
    async restore(change, id, data) {
      await keepRevision(change, { kind: 'snippet', id }, () => getSnippet(change.tx, id), { always: true });
      const { content, description, schema } = asState(data);
      const body: SnippetUpdate = { content, description };
      if (schema !== undefined) body.schema = schema;
      const snippet = await updateSnippet(change, id, body);
      return () => presentSavedSnippet(snippet, templates);
    },
  };
}

/** The boundary where a stored state of a snippet takes its type: `updateSnippet` stored it. */
function asState(data: ObjectState): Partial<Snippet> & Pick<Snippet, 'content' | 'description'> {
  return data as Snippet;
}
