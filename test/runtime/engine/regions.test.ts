/** The words of a page in the regions of its templates. */
import { expect, test } from 'vitest';
import { Engine, safe } from '../../../runtime/engine.ts';

function render(
  source: string,
  words: Readonly<Record<string, unknown>>,
  templates: Record<string, string> = {},
) {
  const regions = {
    value: (name: string, type: string) => (type === 'image' ? undefined : words[name]),
    mark: () => '',
  };
  return new Engine({ load: (name) => templates[name] }).renderSource(source, '/visit', {}, { regions });
}

test('words stand in the place of the default', () => {
  expect(render('{% region a %}x{% endregion %}{% region b %}y{% endregion %}', { a: 'words' })).toBe(
    'wordsy',
  );
});

test('an empty text is a value', () => {
  expect(render('[{% region a %}x{% endregion %}]', { a: '' })).toBe('[]');
});

test('texts are escaped, HTML is not, and autoescape off counts', () => {
  const source =
    '{% region a %}{% endregion %}|{% autoescape off %}{% region a %}{% endregion %}{% endautoescape %}';
  expect(render(source, { a: '<b>' })).toBe('&lt;b&gt;|<b>');
  expect(render(source, { a: safe('<b>') })).toBe('<b>|<b>');
});

test('includes, layouts and blocks have the words of the page', () => {
  const templates = {
    layout: '{% region a %}{% endregion %}{% block b %}{% endblock %}',
    part: '{% region c %}{% endregion %}',
  };
  const source =
    '{% extends "layout" %}{% block b %}{% region b %}{% endregion %}{% include "part" only %}{% endblock %}';
  expect(render(source, { a: 1, b: 2, c: 3 }, templates)).toBe('123');
});

test('a tag that defines no region shows its default', () => {
  expect(render('{% region a type="number" %}x{% endregion %}', { a: 'words' })).toBe('x');
});

test('other tags see what a region shows', () => {
  const source =
    '{% filter upper %}{% region a %}x{% endregion %}{% endfilter %}{% set y = 1 %}{% region b %}{% set y = 2 %}{% endregion %}{{ y }}';
  expect(render(source, { a: 'words' })).toBe('WORDS2');
  expect(render(source, { b: '' })).toBe('X1');
});

test('names of objects are no words', () => {
  expect(render('{% region constructor %}x{% endregion %}', Object.create(null))).toBe('x');
});
