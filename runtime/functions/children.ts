import type { TemplateFunction } from '../engine.ts';
import { pageEnv } from './page-env.ts';

/**
 * `children(id)`: the published pages directly below a page of the same website, in the shape of `nav()`.
 * Without an ID the pages below the current page. `children(id, true)` includes pages hidden in navigation.
 * An ID that is not a page of the website gives an empty list.
 *
 *     {% for entry in children(page.id) %}{{ entry.title }}, {% endfor %}
 *     Spring, Autumn,
 */
export const children: TemplateFunction = {
  lasting: true,
  call(env, args) {
    const host = pageEnv(env, 'children');
    host.noteMenu();
    const { tree, page, line, drafts } = host;
    const id = args.length === 0 ? page.id : args[0];
    if (typeof id !== 'number') return [];
    return tree.below(page.root_id, id, { withHidden: args[1] === true, withDrafts: drafts, line });
  },
};
