/**
 * The full name of a template: `./name` and `../name` are relative to the folder of the template that names
 * it. A page has no folder (its display name is a path): in a page they are relative to the top.
 */
export function resolveName(name: string, from: string): string {
  if (!name.startsWith('./') && !name.startsWith('../')) return name;
  const path = from.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of name.split('/')) {
    if (part === '..') path.pop();
    else if (part !== '.') path.push(part);
  }
  return path.join('/');
}

/** `name#partial` names a `{% partialdef %}` of a template, as in Django; without `#` there is no partial. */
export function splitName(name: string): { readonly template: string; readonly partial: string | undefined } {
  const at = name.indexOf('#');
  return at < 0
    ? { template: name, partial: undefined }
    : { template: name.slice(0, at), partial: name.slice(at + 1) };
}
