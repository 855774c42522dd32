import { randomBytes } from 'node:crypto';
import { apiError } from '../errors.ts';
import { characterCount } from '../text.ts';

const minCharacters = 8;
const maxCharacters = 256;
/** Open points 3. Memory is in KiB; the type is argon2id in the package's numbers. */
const parameters = { type: 2, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;
/** Hashes at the same time: each takes a thread of Node's pool and its memory. */
const maxRunning = 4;
/** Beyond it a caller is told to come back instead of being kept waiting. */
const maxWaiting = 200;

/**
 * @throws ApiError `auth.passwordTooShort`, `auth.passwordTooLong` (open points 3)
 */
export function checkPassword(password: string): void {
  const characters = characterCount(normalize(password));
  if (characters < minCharacters) throw apiError('auth.passwordTooShort', { min: minCharacters });
  if (characters > maxCharacters) throw apiError('auth.passwordTooLong', { max: maxCharacters });
}

/** Hashes and checks passwords with argon2id, off the main thread, a few at a time. */
export interface Passwords {
  /** The encoded hash with its parameters and a fresh salt. @throws ApiError `common.busy` when too many wait */
  hash(password: string): Promise<string>;
  /**
   * Whether a password is the one of `hash`. Without a hash, when there is no such user, the answer is no and takes
   * as long. @throws ApiError `common.busy` when too many wait
   */
  verify(password: string, hash: string | undefined): Promise<boolean>;
}

export function createPasswords(): Passwords {
  const nobody = hashOfNobody();
  let running = 0;
  const waiting: (() => void)[] = [];

  return {
    hash: (password) => inTurn(async () => (await argon2()).hash(normalize(password), parameters)),
    async verify(password, hash) {
      const isRight = await inTurn(async () => (await argon2()).verify(hash ?? nobody, normalize(password)));
      return isRight && hash !== undefined;
    },
  };

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < maxRunning) running++;
    else await turn();
    try {
      return await work();
    } finally {
      // Whoever waits next takes the place over; only when nobody does it becomes free.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  }

  function turn(): Promise<void> {
    if (waiting.length >= maxWaiting) throw apiError('common.busy', {}, { headers: [['Retry-After', '1']] });
    return new Promise((resolve) => waiting.push(resolve));
  }
}

/** Loaded with the first password: it would be a sixth of the time until the server listens. */
async function argon2(): Promise<typeof import('argon2')> {
  return (await import('argon2')).default;
}

/**
 * The same characters are typed differently on different systems. What is longer than any allowed password in any
 * spelling is cut, so that nobody has megabytes hashed.
 */
function normalize(password: string): string {
  return password.slice(0, 16 * maxCharacters).normalize('NFC');
}

/** A well-formed hash that no password has. */
function hashOfNobody(): string {
  const part = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '');
  const { memoryCost, timeCost, parallelism } = parameters;
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${part(16)}$${part(32)}`;
}
