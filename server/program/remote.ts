/** A server that a command talks to. It is asked first which formats of folders it takes. */
import { ProgramError } from './program-error.ts';

/** The format of folders of this program. */
const folderFormat = 1;
const timeoutMs = 30_000;

export interface RemoteOptions {
  readonly url: string;
  readonly token: string | undefined;
}

export class Remote {
  readonly #origin: string;
  readonly #token: string | undefined;

  private constructor({ url, token }: RemoteOptions) {
    this.#origin = url.replace(/\/+$/, '');
    this.#token = token;
  }

  /**
   * A server that takes folders of this format.
   *
   * @throws ProgramError with the exit code 4 if it cannot be reached, refuses the token, or takes other formats only
   */
  static async open(options: RemoteOptions): Promise<Remote> {
    const remote = new Remote(options);
    const info = await remote.get('/bundle/info');
    const formats = isObject(info) ? info['folder_formats'] : undefined;
    if (Array.isArray(formats) && formats.includes(folderFormat)) return remote;
    const taken =
      Array.isArray(formats) && formats.length > 0 ? `formats ${formats.join(', ')}` : 'no folders';
    const version = isObject(info) ? String(info['version'] ?? 'unknown') : 'unknown';
    throw new ProgramError(
      4,
      `${remote.#origin} (version ${version}) takes ${taken}, and this program writes format ${folderFormat}: use the program of the server's version`,
    );
  }

  /** The JSON of an endpoint. @param path below `/api/v1`. @throws ProgramError with the exit code 4 */
  async get(path: string): Promise<unknown> {
    const headers: Record<string, string> = { Accept: 'application/json' };
    if (this.#token !== undefined) headers['Authorization'] = `Bearer ${this.#token}`;
    const address = `${this.#origin}/api/v1${path}`;
    let answer: Response;
    try {
      answer = await fetch(address, { headers, signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
    } catch (error) {
      throw new ProgramError(4, `cannot reach ${this.#origin}: ${describeFailure(error)}`);
    }
    const body: unknown = await answer.json().catch(() => undefined);
    if (answer.ok && body !== undefined) return body;
    throw new ProgramError(4, describeRefusal(this.#origin, answer.status, body, this.#token !== undefined));
  }
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}

function describeRefusal(origin: string, status: number, body: unknown, hasToken: boolean): string {
  const told = isObject(body) && typeof body['error'] === 'string' ? `: ${body['error']}` : '';
  if (status === 401)
    return `${origin} wants ${hasToken ? 'another token' : 'a token'}: set INCIPIT_TOKEN or use --token`;
  return `${origin} refused the request with ${status}${told}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
