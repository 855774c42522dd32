import type { TemplateFunction } from '../engine.ts';
import { pageEnv } from './page-env.ts';

/**
 * `nav()`: the tree of published pages below the home page. `nav(true)` includes pages hidden in navigation.
 * Subpages of drafts are left out. Previews show drafts.
 *
 *     {% for entry in nav() %}<a href="{{ entry.url }}">{{ entry.title }}</a>{% endfor %}
 *     <a href="/about">About</a><a href="/news">News</a>
 */
export const nav: TemplateFunction = {
  lasting: true,
  call(env, [withHidden]) {
    const host = pageEnv(env, 'nav');
    host.noteMenu();
    const { tree, page, line, drafts } = host;
    const view = { withHidden: withHidden === true, withDrafts: drafts, line };
    return tree.below(page.root_id, page.root_id, view);
  },
};
