/** The field of a dialog for a slug that follows the name. */
export const slugField = {
  name: 'slug',
  label: 'collections.slug',
  help: 'collections.slugHelp',
} as const;

/** Letters that are not a letter with a mark. */
const letters: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
};

/** A slug that follows a title: lower case, words joined with `-`. */
export function createSlug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[äöüßæœøłđ]/g, (letter) => letters[letter] ?? letter)
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[^a-z0-9._]+/g, '-')
    .replace(/^[-._]+|[-._]+$/g, '')
    .slice(0, 200);
}
