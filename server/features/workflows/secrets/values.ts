import type { Secrets } from '../../../base/secrets.ts';
import type { StoredSecret } from './store.ts';

/** What the secrets of workflows are encrypted for. */
export const secretPurpose = 'workflow';

/** What stands in place of a secret in logs and traces. */
const mask = '***';

/**
 * The secrets of workflows in memory, because nodes need them at once. The values are decrypted when they are
 * asked for; a value that cannot be decrypted fails there and nowhere else, so a lost key stops no server.
 */
export class SecretValues {
  readonly #secrets: Pick<Secrets, 'open'>;
  /** Encrypted values by name. */
  #sealed: Map<string, string>;
  /** Finds every value in every form; undefined until it is needed after a change. */
  #finder: RegExp | undefined;

  constructor(secrets: Pick<Secrets, 'open'>, stored: readonly StoredSecret[]) {
    this.#secrets = secrets;
    this.#sealed = byName(stored);
  }

  /**
   * The value of a secret; undefined if there is no secret of that name.
   *
   * @throws ApiError `storage.secretUndecryptable`
   */
  value(name: string): string | undefined {
    const sealed = this.#sealed.get(name);
    return sealed === undefined ? undefined : this.#secrets.open(sealed, secretPurpose);
  }

  /**
   * The text with all values of secrets hidden, also where they are written as in an address, a form or JSON.
   * To be called before a text is cut, because the rest of a value would not be recognised.
   */
  mask(text: string): string {
    this.#finder ??= finderOf(this.#readableValues());
    return this.#finder === nothing ? text : text.replaceAll(this.#finder, mask);
  }

  /** Takes over a new list of secrets. */
  use(stored: readonly StoredSecret[]): void {
    this.#sealed = byName(stored);
    this.#finder = undefined;
  }

  /** A value that cannot be decrypted can be in no text either. */
  #readableValues(): string[] {
    return [...this.#sealed.keys()].flatMap((name) => {
      try {
        return [this.value(name) ?? ''];
      } catch {
        return [];
      }
    });
  }
}

function byName(stored: readonly StoredSecret[]): Map<string, string> {
  return new Map(stored.map(({ name, value }) => [name, value]));
}

function finderOf(values: readonly string[]): RegExp {
  const forms = new Set(values.flatMap(formsOf).filter((form) => form !== ''));
  // A value that contains another one is hidden as a whole.
  const longestFirst = [...forms].sort((left, right) => right.length - left.length);
  return longestFirst.length === 0 ? nothing : new RegExp(longestFirst.map(escaped).join('|'), 'g');
}

/** A pattern that matches nothing. */
const nothing = /(?!)/g;

/** A value as it is, in an address, in a form, in JSON, and in JSON within JSON. */
function formsOf(value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  return [
    value,
    encodeURIComponent(value),
    new URLSearchParams([['', value]]).toString().slice(1),
    inJson,
    JSON.stringify(inJson).slice(1, -1),
  ];
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
