/**
 * Menus of previews show drafts, which menus of visitors leave out. So links to drafts get a visible mark, whatever the
 * template makes of its menus: a rule of CSS adds it, and the markup stays as it is.
 */
import type { PageEnv } from './env.ts';

/** Most drafts of a website that are marked. */
const maxDrafts = 500;

/** The style element of a preview that has a menu; empty if its website has no draft. */
export function createDraftStyle({ memo, page, lang, hasMenu }: PageEnv, siteUrl: string): string {
  const paths = hasMenu ? memo.draftPaths(page.root_id, maxDrafts) : [];
  if (paths.length === 0) return '';
  const selectors = paths.flatMap((path) => [
    `[href=${cssString(path)}]`,
    `[href=${cssString(siteUrl + path)}]`,
    // Links to a part of the page, or with a query.
    `[href^=${cssString(`${path}#`)}]`,
    `[href^=${cssString(`${path}?`)}]`,
  ]);
  const links = selectors.map((selector) => `a${selector}::after`);
  return `<style data-ic-drafts>\n${links.join(',\n')} { ${ruleFor(lang)} }\n</style>\n`;
}

/** Nothing that a website says of its links may change or hide the mark. */
function ruleFor(lang: string): string {
  const word = /^de\b/.test(lang) ? 'Entwurf' : 'Draft';
  const looks = [
    ['all', 'initial'],
    ['content', `"${word}"`],
    ['display', 'inline-block'],
    ['margin-inline-start', '6px'],
    ['padding', '0 6px'],
    ['border', '1px solid #8a6100'],
    ['border-radius', '9px'],
    ['background', '#fff4d1'],
    ['color', '#5c4000'],
    ['font', '600 11px/16px system-ui, sans-serif'],
    ['vertical-align', 'middle'],
  ];
  return looks.map(([name, value]) => `${name}: ${value} !important;`).join(' ');
}

/** A text as a string of CSS in an element of HTML. */
function cssString(text: string): string {
  return `"${text.replace(/[^\w/:.~-]/gu, (character) => `\\${character.codePointAt(0)?.toString(16)} `)}"`;
}
