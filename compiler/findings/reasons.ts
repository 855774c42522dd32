/** The texts of findings about values where escaping is not enough: what is wrong, and what to write. */
import type { UnsafePlace } from './places.ts';

/** The text of a finding. @param snippet the snippet that holds the value, if it is not in the template itself */
export function formatReason({ place, name }: UnsafePlace, snippet: string | undefined): string {
  const reason = reasons[place](name);
  return snippet === undefined ? reason : `in the snippet "${snippet}", as it is included here: ${reason}`;
}

const reasons: Readonly<Record<UnsafePlace['place'], (name: string) => string>> = {
  script: () =>
    'a value in a script is escaped for HTML, not for JavaScript: write {{ value|json|safe }}, or {{ value|escapejs }} between quotes',
  handler: (name) =>
    `"${name}" runs as JavaScript, for which a value is not escaped: write {{ value|json }}, or {{ value|escapejs }} between quotes`,
  document: (name) =>
    `"${name}" is read as HTML once more, so a value needs escaping twice: write {{ value|force_escape|force_escape }}`,
  address: (name) =>
    `"${name}" begins with a value that may be a javascript: address: write {{ value|clean_url }}, or text before it such as "/"`,
  scriptAddress: (name) =>
    `"${name}" begins with a value, which decides where the script comes from: write the beginning of the address as text`,
  tag: (name) =>
    `a value as a part of the tag <${name}> may be any attribute: write the attribute as text and the value in quotes`,
  unquoted: (name) =>
    `the value of "${name}" has no quotes, so a space in it begins another attribute: write ${name}="{{ value }}"`,
};
