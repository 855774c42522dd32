/**
 * The full name of a template: `./name` and `../name` are relative to the folder of the template that names it.
 * A page has no folder (its display name is a path); there they count from the top.
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
