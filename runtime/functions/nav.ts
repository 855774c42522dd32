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
  call(env, [withHidden]) {
    const { memo, page, line, drafts } = pageEnv(env, 'nav');
    return memo.tree(page.root_id).below(page.root_id, line, withHidden === true, drafts);
  },
};
