/** The texts of the admin: the same in both languages, and one for every error of the API. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { revisedFields } from '../../admin/src/api/generated/revised.ts';
import { errorCodes } from '../../server/base/errors.ts';

type Texts = { readonly [key: string]: string | Texts };

/** The texts of the frame and those of screens. */
function read(language: string): ReadonlyMap<string, string> {
  const texts = ['', 'screens.'].flatMap((part) => {
    const file = new URL(`../../admin/src/base/i18n/${part}${language}.json`, import.meta.url);
    const read: Texts = JSON.parse(readFileSync(file, 'utf8'));
    return flat(read);
  });
  const names = texts.map(([name]) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  return new Map(texts);
}

function flat(texts: Texts, prefix = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value]] : flat(value, `${prefix}${key}.`),
  );
}

const en = read('en');
const de = read('de');

test('both languages have the same texts', () => {
  expect([...de.keys()]).toEqual([...en.keys()]);
});

test('both languages name the same values in a text', () => {
  const valuesIn = (text = '') => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();
  const different = [...en].filter(([key, text]) => String(valuesIn(text)) !== String(valuesIn(de.get(key))));
  expect(different).toEqual([]);
});

test.each([
  ['English', en],
  ['German', de],
])('every error of the API has a text in %s', (_name, texts) => {
  const has = (code: string) => texts.has(`errors.${code}`) || texts.has(`errors.${code}_other`);
  expect(errorCodes.filter((code) => !has(code))).toEqual([]);
});

test('every field in which versions can differ has a text', () => {
  const fields = new Set(Object.values(revisedFields).flat());
  expect([...fields].filter((field) => !en.has(`fields.${field}`))).toEqual([]);
});

test('everything that can refer to something else is called by its name', () => {
  const users = 'page snippet asset item global collection workflow file redirect source pen flow_node';
  expect(users.split(' ').filter((kind) => !en.has(`kinds.${kind}`))).toEqual([]);
});

test.each([
  ['English', en, /go on working|take over a|the band\b|\bback up\b/i],
  ['German', de, /\bSicherung/],
])('nothing in %s is called by a name that nobody understands', (_name, texts, unclear) => {
  expect([...texts].filter(([, text]) => unclear.test(text))).toEqual([]);
});

test('texts keep to the tone', () => {
  const wrong = [...en, ...de].filter(([, text]) =>
    /please|bitte|oops|successfully|erfolgreich|!/i.test(text),
  );
  expect(wrong).toEqual([]);
});
