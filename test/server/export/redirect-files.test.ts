import { describe, expect, it } from 'vitest';
import { createHeadersFile, createRedirectFile } from '../../../server/features/export/redirect-files.ts';

const apache = createRedirectFile('apache', '');
const netlify = createRedirectFile('netlify', '');

describe('a rule for Apache', () => {
  it.each([
    ['/old', '/new', '"^(?i)/old/?$" "/new"'],
    ['/a.b', '/c', String.raw`"^(?i)/a\x2eb/?$" "/c"`],
    ['/(x|y)+$', '/c', String.raw`"^(?i)/\x28x\x7cy\x29\x2b\x24/?$" "/c"`],
    ['/q"q', '/c', String.raw`"^(?i)/q\x22q/?$" "/c"`],
    ['/back\\slash', '/c', String.raw`"^(?i)/back\x5cslash/?$" "/c"`],
    ['/two\nlines', '/c', String.raw`"^(?i)/two\x0alines/?$" "/c"`],
    ['/ä', '/c', String.raw`"^(?i)/\xc3\xa4/?$" "/c"`],
    ['/old', '/ä?x=1&y=2#z', String.raw`"^(?i)/old/?$" "/ä?x=1\\&y=2#z"`],
    ['/old', '/cost$1', String.raw`"^(?i)/old/?$" "/cost\\$1"`],
    // Apache replaces a variable of this form, but not behind the backslash that it takes away.
    ['/old', `/a${'$'}{HOME}`, String.raw`"^(?i)/old/?$" "/a\\$\\{HOME}"`],
    ['/old', '/q"q', String.raw`"^(?i)/old/?$" "/q\"q"`],
    // Apache escapes the path again, so only what would end the path stays escaped.
    ['/old', '/a%3Fb%20c', '"^(?i)/old/?$" "/a%3Fb c"'],
    ['/old', 'https://other.example/%C3%A4', '"^(?i)/old/?$" "https://other.example/ä"'],
  ])('from %j to %j is %s', (source, target, rule) => {
    expect(apache.line({ source, target, status: 302 })).toBe(`RedirectMatch 302 ${rule}\n`);
  });

  it('is one line whatever the target holds', () => {
    const line = apache.line({ source: '/a', target: '/b\r\nSetEnv x\t"', status: 301 });
    expect(line.trimEnd()).not.toMatch(/[\r\n\t]/);
  });
});

describe('a rule for Netlify and Cloudflare', () => {
  it.each([
    ['/old', '/new', '/old /new 301\n'],
    ['/a b', '/c d', '/a%20b /c%20d 301\n'],
    ['/*', '/x', '/%2A /x 301\n'],
    ['/:id', '/x', '/%3Aid /x 301\n'],
    ['/ä', 'https://other.example/ä', '/%C3%A4 https://other.example/%C3%A4 301\n'],
    ['/a\nb', '/c\nd', '/a%0Ab /c%0Ad 301\n'],
  ])('from %j to %j', (source, target, line) => {
    expect(netlify.line({ source, target, status: 301 })).toBe(line);
  });
});

it('the headers of all files stand in one block', () => {
  const headers = [
    ['X-A', 'b'],
    ['X-C', 'd\r\n/*'],
  ] as const;
  expect(createHeadersFile('netlify', headers)?.text).toBe('/*\n  X-A: b\n  X-C: d /*\n');
  expect(createHeadersFile('apache', headers)).toBeUndefined();
});
