import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';

/**
 * The text with all character references of HTML decoded, as `&eacute;`, `&#233;` and `&amp` without
 * semicolon.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  // `&` must be the only character with a meaning for the parser, which drops NUL and turns CR into LF.
  const source = text.replaceAll('\0', '').replaceAll('<', '&lt;').replaceAll('\r', '&#13;');
  return parseFragment(source).childNodes.map(textOf).join('');
}

function textOf(node: DefaultTreeAdapterTypes.ChildNode): string {
  return 'value' in node ? node.value : '';
}
