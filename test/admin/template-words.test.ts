/** What the code editor says about the words of templates. */
import { expect, it } from 'vitest';
import { wordAt } from '../../admin/src/editors/code/word-at.ts';
import de from '../../admin/src/editors/code/words/de.json' with { type: 'json' };
import en from '../../admin/src/editors/code/words/en.json' with { type: 'json' };
import forms from '../../admin/src/editors/code/words/forms.json' with { type: 'json' };
import { knownTags } from '../../grammar/items.ts';
import { filters } from '../../runtime/filters/index.ts';
import { pageGlobals, templateFunctions } from '../../runtime/functions/index.ts';

it.each([
  ['forms', forms],
  ['English', en],
  ['German', de],
])('explains every tag, filter and function: %s', (_name, words) => {
  const opening = [...knownTags].filter((tag) => !tag.startsWith('end'));
  expect(Object.keys(words.tags).sort()).toEqual(opening.sort());
  expect(Object.keys(words.filters).sort()).toEqual([...filters.keys()].sort());
  expect(Object.keys(words.functions).sort()).toEqual([...templateFunctions.keys()].sort());
  expect(Object.keys(words.variables)).toEqual(expect.arrayContaining([...pageGlobals]));
});

it.each([
  ['{% f^or x in y %}', 'tags', 'for'],
  ['{%- end^for %}', 'tags', 'for'],
  ['{{ title|up^per }}', 'filters', 'upper'],
  ['{{ title | default:"x"|lo^wer }}', 'filters', 'lower'],
  ['{% for p in na^v() %}', 'functions', 'nav'],
  ['{{ pa^ge.title }}', 'variables', 'page'],
  ['{{ page.ti^tle }}', 'variables', 'page.title'],
  ['{% include\n"card" with title=page.ti^tle %}', 'variables', 'page.title'],
])('finds the word in %s', (marked, kind, name) => {
  const position = marked.indexOf('^');
  expect(wordAt(marked.replace('^', ''), position)).toMatchObject({ kind, name });
});

it.each(['<p>pa^ge</p>', '{{ "up^per" }}', '{{ page }} pa^ge', '{{ pa^ge'])('finds none in %s', (marked) => {
  expect(wordAt(marked.replace('^', ''), marked.indexOf('^'))).toBeUndefined();
});
