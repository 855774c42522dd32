import { isIP } from 'node:net';

/** Whose password it is; the names that it must not hold. */
export interface PasswordOwner {
  readonly username: string;
  readonly name?: string;
  readonly email?: string;
}

/** A website whose names a password must not hold. */
export interface NamedSite {
  readonly title: string;
  readonly domains: readonly string[];
}

/** Shorter names of people are looked for among whole words only: "ada" is no reason to refuse "canada". */
const minUserName = 4;
/** The same for websites, whose titles are often plain words, such as "Home". */
const minSiteName = 6;
const minWord = 3;

/** Whether a password holds a name of its user or of a website, whatever its case and the signs between its letters. */
export function holdsName(password: string, owner: PasswordOwner, sites: readonly NamedSite[]): boolean {
  const letters = squeeze(password);
  const words = new Set(
    password
      .normalize('NFKC')
      .toLowerCase()
      .match(/\p{L}+|\p{N}+/gu),
  );
  const holds = (name: string, minPart: number) =>
    [...name].length >= minPart ? letters.includes(name) : [...name].length >= minWord && words.has(name);
  return (
    namesOf(owner).some((name) => holds(name, minUserName)) ||
    sites.flatMap(namesOfSite).some((name) => holds(name, minSiteName))
  );
}

/** The words that are easy to guess: all names, and the words of which they consist. */
export function guessableWords(owner: PasswordOwner, sites: readonly NamedSite[]): string[] {
  const titles = sites.flatMap(({ title }) => wordsOf(title));
  return [...new Set([...namesOf(owner), ...sites.flatMap(namesOfSite), ...titles, 'incipit'])].slice(
    0,
    maxWords,
  );
}

/** Each word costs time, and an instance may have thousands of websites. */
const maxWords = 200;

function namesOf({ username, name = '', email = '' }: PasswordOwner): string[] {
  const local = email.split('@', 1)[0] ?? '';
  return [username, name, email, ...wordsOf(username), ...wordsOf(name), ...wordsOf(local)]
    .map(squeeze)
    .filter((text) => text !== '');
}

function namesOfSite({ title, domains }: NamedSite): string[] {
  const names = domains
    .filter((domain) => isIP(domain.replaceAll(/[[\]]/g, '')) === 0)
    .flatMap((domain) => [domain, longestLabel(domain)]);
  return [title, ...names].map(squeeze).filter((text) => text !== '');
}

/** The part of a domain that names somebody: of "www.harbour-museum.org" the middle. */
function longestLabel(domain: string): string {
  const labels = domain.split('.').slice(0, -1);
  return labels.reduce((longest, label) => (label.length > longest.length ? label : longest), '');
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/\p{L}+/gu)
      ?.filter((word) => [...word].length >= minWord) ?? []
  );
}

function squeeze(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
