import { describe, expect, it } from 'vitest';
import { linksIn, mayHaveLinks } from '../../../runtime/page/links.ts';

describe('the links of a template', () => {
  it.each([
    ['<a href="/a">', ['/a']],
    ["<a\n  class=x href = '/a/B/?q=1#f'>", ['/a/b']],
    ['<a href=/a%20b>', ['/a b']],
    ['<a href="/">', ['/']],
    ['<a href="https://Example.org:8080/A/">', ['//example.org/a']],
    ['<a href="//example.org">', ['//example.org/']],
    ['<form action="/send"><button formaction="/other">', ['/send', '/other']],
    ['<a href="/a"><a href="/a?x">', ['/a']],
    ['<a href="a">', []],
    ['<a href="#a">', []],
    ['<a href="mailto:a@b.c">', []],
    ['<a href="/a{{ b }}">', []],
    ['<a href="{% if a %}/a{% endif %}">', []],
    ['<a data-href="/a">', []],
    ['{# <a href="/a"> #}', []],
    ['{% comment "why" %}<a href="/a">{% endcomment %}', []],
    ['<!-- <a href="/a"> --><a href="/b">', ['/b']],
    ['{# a <a href="/a">', ['/a']],
    ['{# a\n <a href="/a"> #} {# <a href="/b"> #} <a href="/c">', ['/a', '/c']],
    ['<a href="/a"><!-- <a href="/b">', ['/a']],
  ])('of %j are %j', (source, links) => {
    expect(linksIn(source)).toEqual(links);
  });

  it('are at most 1,000', () => {
    const source = Array.from({ length: 1500 }, (_, index) => `<a href="/${index}">`).join('');
    expect(linksIn(source)).toHaveLength(1000);
  });

  it.each(['<a href="/x">', '<form action=/x>', '<a HREF = "/x">'])('are looked for in %j', (source) => {
    expect(mayHaveLinks(source)).toBe(true);
  });

  it('are found in linear time, also in hostile text', () => {
    const hostile = [' href="', ' href=', '<!--', '{#', '{% comment %}', ' href=\'"', '{% comment '];
    for (const part of hostile) linksIn(part.repeat(100_000));
  });
});
