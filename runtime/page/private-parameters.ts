/** Query parameters that give access to something. They are neither passed on to another address nor recorded. */
const privateParameters: ReadonlySet<string> = new Set([
  'token',
  'exp',
  'sig',
  'preview',
  'ic_preview',
  '_site',
]);

/** A raw query without its private parameters. @param query without '?' */
export function publicParameters(query: string): string {
  return query
    .split('&')
    .filter((parameter) => {
      const [[name = ''] = []] = [...new URLSearchParams(parameter)];
      return parameter !== '' && !privateParameters.has(name);
    })
    .join('&');
}
