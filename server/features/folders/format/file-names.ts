/** Names of files for names of objects, such that every file system can hold them and no two differ only in case. */

/** What Windows keeps for devices, with any extension. */
const reservedStem = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i;
/** What some file system cannot hold in a name, and `%`, which begins an escape. */
const forbidden = /[<>:"/\\|?*%\p{Cc}]/gu;
/** Longest name of a file in bytes, with room for an extension and an escape. */
const maxNameBytes = 200;

/** Whether a name may be the name of a file as it is. */
function isPlain(name: string): boolean {
  const [stem = ''] = name.split('.');
  return name !== '' && !/^\.+$/.test(name) && !reservedStem.test(stem.trimEnd());
}

/**
 * The name as a file can have it: characters that some file system cannot hold are `%` and two digits, a name that
 * none can hold begins with `%`.
 */
export function encodeName(name: string): string {
  const escaped = name
    .replaceAll(forbidden, (character) => [...Buffer.from(character)].map((byte) => `%${hex(byte)}`).join(''))
    .replace(/[. ]$/, (last) => `%${hex(last.charCodeAt(0))}`);
  return isPlain(name) ? escaped : prefixed(escaped);
}

/** The same name, for a file that would be confused with another one. */
export function prefixed(escaped: string): string {
  const isLikeEscape = /^[0-9A-F]{2}/.test(escaped);
  return isLikeEscape ? `%${hex(escaped.charCodeAt(0))}${escaped.slice(1)}` : `%${escaped}`;
}

/** Whether every file system can hold a file of this name. */
export function isPortable(file: string): boolean {
  const rest = file.replaceAll(/%[0-9A-F]{2}/g, 'x').replace(/^%+/, 'x');
  if (/[<>:"/\\|?*%\p{Cc}]/u.test(rest) || /[. ]$/.test(rest)) return false;
  return file.startsWith('%') || isPlain(file);
}

/** The name that {@link encodeName} and {@link prefixed} have escaped. */
export function decodeName(file: string): string {
  let rest = file;
  while (rest.startsWith('%') && !/^%[0-9A-F]{2}/.test(rest)) rest = rest.slice(1);
  return rest.replaceAll(/(?:%[0-9A-F]{2})+/g, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString(),
  );
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}

const maxSlugLength = 80;

/** A name for a file from a name for people: at most 80 characters; empty if nothing is left. */
export function toSlug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, maxSlugLength)
    .replaceAll(/-+$/g, '');
}

/** The name of a file from its name for people, with its extension. */
export function toFileSlug(name: string, extension: string): string {
  const stem = toSlug(name.replace(/\.[^.]*$/, '')) || 'file';
  return `${stem}.${extension}`;
}

/** Gives out paths in a folder; none differs from another only in case. */
export class FileNames {
  readonly #taken = new Set<string>();
  /** Paths of folders by the folder above and their name. */
  readonly #folders = new Map<string, string>();

  /** Takes a path as it is, with the folders that it lies in. */
  take(path: string): string {
    const parts = path.split('/').slice(0, -1);
    for (const [index, part] of parts.entries()) {
      const above = parts.slice(0, index).map((name) => `${name}/`);
      this.#keepFolder(above.join(''), decodeName(part), part);
    }
    this.#taken.add(fold(path));
    return path;
  }

  has(path: string): boolean {
    return this.#taken.has(fold(path));
  }

  /** The path of a folder with a name, which ends with `/`. The same folder has the same path each time. */
  folder(above: string, name: string): string {
    const known = this.#folders.get(`${above} ${name}`);
    if (known !== undefined) return known;
    let file = encodeName(name);
    while (this.has(above + file)) file = prefixed(file);
    return this.#keepFolder(above, name, file);
  }

  #keepFolder(above: string, name: string, file: string): string {
    const path = `${above}${file}/`;
    const key = `${above} ${name}`;
    if (!this.#folders.has(key)) this.#folders.set(key, path);
    this.#taken.add(fold(above + file));
    return path;
  }

  /** The first free of `name`, `name-2`, …; for names that are made up. */
  number(folder: string, stem: string, extension: string): string {
    for (let number = 1; ; number += 1) {
      const suffix = number === 1 ? '' : `-${number}`;
      const name = encodeName(shorten(stem, suffix) + suffix + extension);
      if (!this.has(folder + name)) return this.take(folder + name);
    }
  }

  /** The first free of `name`, `%name`, …; for names that must be found again in the name of the file. */
  escape(folder: string, name: string, extension: string): string {
    let file = encodeName(name + extension);
    while (this.has(folder + file)) file = prefixed(file);
    return this.take(folder + file);
  }
}

function shorten(stem: string, suffix: string): string {
  let short = stem;
  while (Buffer.byteLength(short + suffix) > maxNameBytes) short = short.slice(0, -1);
  return short;
}

/** Two paths with the same result are the same file on some file systems. */
export function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
