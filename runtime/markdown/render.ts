/** How tokens become HTML where the renderer of the parser does something else than GitHub. */
import type { MarkdownIt, RendererRule } from 'markdown-it';
import { imageAddress, linkAddress, type Trust } from './addresses.ts';
import { requireBudget } from './budget.ts';

export function renderLikeGitHub(parser: MarkdownIt, trust: Trust): void {
  const { rules } = parser.renderer;
  const { image = missingRule } = rules;
  const filtered: RendererRule = (tokens, index) => filterTags(tokens[index]?.content ?? '');
  Object.assign(rules, {
    html_block: filtered,
    html_inline: filtered,
    th_open: cellWith('th'),
    td_open: cellWith('td'),
    link_open: withAddress('href', (address) => linkAddress(address, trust)),
    image: withAddress('src', imageAddress, image),
  } satisfies Record<string, RendererRule>);
}

/** GFM, "Disallowed Raw HTML": these elements change how the rest of the page is read, or run scripts. */
function filterTags(html: string): string {
  return html.replace(disallowedTag, '&lt;$1');
}

const disallowedTag =
  /<(\/?(?:iframe|noembed|noframes|plaintext|script|style|title|textarea|xmp)(?=[\t\n\f\r />]))/gi;

/** The parser aligns cells with an attribute `style`, which a content security policy may forbid. */
function cellWith(tag: 'th' | 'td'): RendererRule {
  return (tokens, index) => {
    const style = tokens[index]?.attrGet('style');
    return style === null || style === undefined
      ? `<${tag}>`
      : `<${tag} align="${String(style).replace('text-align:', '')}">`;
  };
}

/** Several links may have the address and title of one definition, so they are charged before they are written. */
function withAddress(
  name: string,
  allowed: (address: string) => string,
  render?: RendererRule,
): RendererRule {
  return (tokens, index, options, env, renderer) => {
    const token = tokens[index];
    if (token === undefined) return missingRule();
    const address = String(token.attrGet(name));
    requireBudget(env).countHtml(address.length + String(token.attrGet('title') ?? '').length);
    token.attrSet(name, allowed(address));
    return render?.(tokens, index, options, env, renderer) ?? renderer.renderToken(tokens, index, options);
  };
}

function missingRule(): never {
  throw new TypeError('the parser does not have what it is configured with');
}
