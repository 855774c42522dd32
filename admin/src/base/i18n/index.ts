import i18next, { type ParseKeys, type TFunction, type TOptions } from 'i18next';
import { useSyncExternalStore } from 'react';
import type en from './en.json';
import type screens from './screens.en.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    readonly returnNull: false;
    readonly resources: { readonly translation: typeof en & typeof screens };
  }
}

/** The key of a text in `en.json` and `de.json`. */
export type TextKey = ParseKeys;

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

const texts: Readonly<Record<Language, () => Promise<{ default: object }>>> = {
  en: () => import('./en.json'),
  de: () => import('./de.json'),
};
/** Texts that only screens and dialogs have, which come with the first of them. */
const screenTexts: Readonly<Record<Language, () => Promise<{ default: object }>>> = {
  en: () => import('./screens.en.json'),
  de: () => import('./screens.de.json'),
};
let hasScreens = false;
const storageKey = 'ic-language';

/** Loads the texts of the chosen language, or of the browser's. */
export async function startTexts(): Promise<void> {
  await i18next.init({
    lng: 'en',
    fallbackLng: false,
    interpolation: { escapeValue: false },
    resources: {},
  });
  await showLanguage(chosenLanguage());
}

async function showLanguage(language: Language): Promise<void> {
  const { default: loaded } = await texts[language]();
  i18next.addResourceBundle(language, 'translation', loaded);
  if (hasScreens) await addScreenTexts(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/** Loads the texts that only screens and dialogs have. */
export async function loadScreenTexts(): Promise<void> {
  if (hasScreens) return;
  await addScreenTexts(currentLanguage());
  hasScreens = true;
}

async function addScreenTexts(language: Language): Promise<void> {
  const { default: loaded } = await screenTexts[language]();
  // Added to the texts of the frame, which may have the same groups.
  i18next.addResourceBundle(language, 'translation', loaded, true, false);
}

/** Changes the language and keeps the choice in this browser. */
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(storageKey, language);
  await showLanguage(language);
}

export function currentLanguage(): Language {
  return languages.find((language) => language === i18next.language) ?? 'en';
}

function followLanguage(listener: () => void): () => void {
  i18next.on('languageChanged', listener);
  return () => i18next.off('languageChanged', listener);
}

/**
 * Draws a component, and with it all that it draws, again in another language. For components that are not drawn
 * again with what is around them: the outermost ones, screens, and those that are made with `memo`.
 */
export function useLanguage(): Language {
  return useSyncExternalStore(followLanguage, currentLanguage);
}

function chosenLanguage(): Language {
  const wanted = [localStorage.getItem(storageKey), ...navigator.languages];
  for (const tag of wanted) {
    const found = languages.find((language) => tag?.startsWith(language));
    if (found !== undefined) return found;
  }
  return 'en';
}

/** A text in the chosen language. What shows it is drawn again in another language (`useLanguage`). */
export const t: TFunction = i18next.t.bind(i18next);

/** A text whose key is only known while running; undefined if there is none. */
export function findText(key: string, values: TOptions = {}): string | undefined {
  // Type boundary: `exists` has just found the key.
  return i18next.exists(key, values) ? i18next.t(key as TextKey, values) : undefined;
}

/** A time of day, with the date if it is not today. @param at Unix seconds */
export function timeText(at: number): string {
  const date = new Date(at * 1000);
  const today = new Date();
  const isToday =
    date.getDate() === today.getDate() &&
    date.getMonth() === today.getMonth() &&
    date.getFullYear() === today.getFullYear();
  return timeFormat(currentLanguage(), isToday).format(date);
}

const timeFormats = new Map<string, Intl.DateTimeFormat>();

/** Kept, because making one takes longer than drawing a row of a table. */
function timeFormat(language: Language, isToday: boolean): Intl.DateTimeFormat {
  const key = `${language} ${isToday}`;
  const format =
    timeFormats.get(key) ??
    new Intl.DateTimeFormat(language, {
      hour: '2-digit',
      minute: '2-digit',
      ...(isToday ? {} : { day: 'numeric', month: 'short', year: 'numeric' }),
    });
  timeFormats.set(key, format);
  return format;
}
