import type { Encoding } from '../../runtime/tasks/encode.ts';
import type { Parts } from '../feature.ts';
import type { AnswerBody } from './answer-body.ts';

/** Longer bodies are not compressed at the best level, which takes 2 s for 1 MB. */
const maxBestBytes = 256 * 2 ** 10;

/**
 * Makes further forms of bodies that are kept, in the render pool. Only if nothing waits for the pool: otherwise
 * clients get the forms that exist, and the next request asks again.
 *
 * A body has at most one job for a missing form, and at most one body at a time is compressed at the best level.
 */
export class Compression {
  readonly #deps: Pick<Parts, 'pool' | 'log'>;
  readonly #running = new Map<AnswerBody, Promise<void>>();
  #isImproving = false;

  constructor(deps: Pick<Parts, 'pool' | 'log'>) {
    this.#deps = deps;
  }

  /** Whether there is room to make another form now. */
  get hasRoom(): boolean {
    return !this.#deps.pool.hasQueue;
  }

  /** Makes a form that a client wants; resolves when it is there or cannot be made now. */
  complete(kept: KeptBody, encoding: Encoding): Promise<void> {
    const { body } = kept;
    const running = this.#running.get(body);
    if (running !== undefined) return running;
    const job = this.#make(kept, encoding, 'often').finally(() => this.#running.delete(body));
    this.#running.set(body, job);
    return job;
  }

  /** Replaces the Brotli form of a popular body by a smaller one, later. */
  improve(kept: KeptBody): void {
    const { body } = kept;
    if (this.#isImproving || !this.hasRoom) return;
    body.isBest = true;
    if (body.identity.bytes.byteLength > maxBestBytes) return;
    this.#isImproving = true;
    void this.#make(kept, 'br', 'very often').finally(() => {
      this.#isImproving = false;
    });
  }

  async #make({ body, onResized }: KeptBody, encoding: Encoding, use: 'often' | 'very often'): Promise<void> {
    try {
      const task = { kind: 'compress', bytes: body.identity.bytes, encoding, use } as const;
      const { bytes } = await this.#deps.pool.run(task);
      if (bytes === undefined) body.giveUp();
      else body.add(encoding, bytes, use === 'often' ? '' : '-best');
      onResized();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'a body could not be compressed');
    }
  }
}

export interface KeptBody {
  readonly body: AnswerBody;
  /** Called when the forms of the body have another size. */
  onResized(): void;
}
