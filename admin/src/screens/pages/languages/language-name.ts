import { currentLanguage } from '../../../base/i18n/index.ts';

/** What people call a language, with its tag: "German (de)". @param tag BCP 47 */
export function languageName(tag: string): string {
  try {
    const name = new Intl.DisplayNames([currentLanguage()], { type: 'language' }).of(tag);
    return name === undefined || name === tag ? tag : `${name} (${tag})`;
  } catch {
    // No language tag, such as `english`: it stands for itself.
    return tag;
  }
}
