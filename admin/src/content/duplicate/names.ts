/** Names of copies: the next free number behind a name, and the word for a copy behind a title. */
// Not `t` of the admin, which comes with React: tests name copies without a browser.
import i18next from 'i18next';

/** The number that a copy of a name has got. Larger ones are years and the like. */
const copyNumber = /-(?:[2-9]|[1-9]\d)$/;

/** A name without the number of a copy. All names that {@link findFreeName} may find begin with it. */
export function stripCopyNumber(name: string): string {
  return name.replace(copyNumber, '');
}

/** The name with the next number that is free: `boat-2` after `boat`, and `boat-3` after `boat-2`. */
export function findFreeName(name: string, taken: ReadonlySet<unknown>): string {
  const stem = stripCopyNumber(name);
  // Without its original, the number belongs to the name, as in `route-66`.
  const base = taken.has(stem) ? stem : name;
  let number = 2;
  while (taken.has(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}

/** The title of a copy, in the language of the admin. A copy of a copy has the word once. */
export function formatCopyTitle(title: string): string {
  const mark = i18next.t('duplicate.copyOf', { name: '' });
  return title.endsWith(mark) ? title : i18next.t('duplicate.copyOf', { name: title });
}
