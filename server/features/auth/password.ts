import { randomBytes } from 'node:crypto';
import { busy } from '../../base/errors.ts';
import { passwordLimits } from './passwords/password-rules.ts';

/** Parameters of argon2id, which the package calls type 2. `memoryCost` is in KiB. */
const parameters = { type: 2, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;
/** Largest number of parallel hashes. Each uses a thread of Node's pool and `memoryCost` of memory. */
const maxRunning = 4;
/** Largest number of waiting callers. Further callers get `common.busy` at once. */
const maxWaiting = 200;

/** A random password that is hard to guess and easy to copy. */
export function generatePassword(): string {
  return randomBytes(12).toString('base64url');
}

/** Hashes and checks passwords with argon2id, off the main thread, a few at a time. */
export class Passwords {
  readonly #nobody = hashOfNobody();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** The encoded hash with parameters and a new salt. @throws ApiError `common.busy` when too many wait */
  hash(password: string): Promise<string> {
    return this.#inTurn(async () => (await argon2()).hash(normalize(password), parameters));
  }

  /**
   * Whether a password belongs to `hash`. Without a hash (no such user) the answer is false and takes the
   * same time. @throws ApiError `common.busy` when too many wait
   */
  async verify(password: string, hash: string | undefined): Promise<boolean> {
    // A user without a password has an empty hash.
    const encoded = hash || this.#nobody;
    const isRight = await this.#inTurn(async () => (await argon2()).verify(encoded, normalize(password)));
    return isRight && encoded === hash;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < maxRunning) this.#running++;
    else await this.#turn();
    try {
      return await work();
    } finally {
      // The next waiting caller takes over the place. The place becomes free only if no caller waits.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= maxWaiting) throw busy(1);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** Loaded with the first password, because loading it would take a sixth of the start time of the server. */
async function argon2(): Promise<typeof import('argon2')> {
  return (await import('argon2')).default;
}

/**
 * Normalised, because systems encode the same characters differently. A text longer than any allowed password
 * in any encoding is cut, so that nobody can make the server hash megabytes.
 */
function normalize(password: string): string {
  return password.slice(0, 16 * passwordLimits.max).normalize('NFC');
}

/** A well-formed hash that belongs to no password. */
function hashOfNobody(): string {
  const part = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '');
  const { memoryCost, timeCost, parallelism } = parameters;
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${part(16)}$${part(32)}`;
}
