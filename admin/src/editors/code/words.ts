import { currentLanguage } from '../../base/i18n/index.ts';
import type { WordKind } from './word-at.ts';
import forms from './words/forms.json' with { type: 'json' };

type Words = Readonly<Record<WordKind, Readonly<Record<string, string>>>>;

const texts: Readonly<Record<ReturnType<typeof currentLanguage>, () => Promise<{ default: Words }>>> = {
  en: () => import('./words/en.json'),
  de: () => import('./words/de.json'),
};

/** How a word is written, for example, and what it does. */
export interface Explanation {
  readonly form: string;
  readonly text: string;
}

/** How each word is written. The other files of `words/` have the same names. */
const wordForms: Words = forms;

/** What a tag, filter, function or variable does; undefined for names that templates give themselves. */
export async function findExplanation(kind: WordKind, name: string): Promise<Explanation | undefined> {
  const { default: known } = await texts[currentLanguage()]();
  if (!Object.hasOwn(known[kind], name)) return undefined;
  const form = wordForms[kind][name] ?? name;
  return { form: kind === 'tags' ? `{% ${form} %}` : form, text: known[kind][name] ?? '' };
}
