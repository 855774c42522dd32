import type { CompressionUse, Encoding } from '../../../runtime/tasks/encode.ts';
import type { Log } from '../../base/log.ts';
import type { CachedBody } from './cached-body.ts';

/** Longer bodies are not compressed at the best level, which takes 2 s for 1 MB. */
const maxBestBytes = 256 * 2 ** 10;

/** Compresses bytes outside the main thread. */
export interface BodyEncoder {
  /** Whether a body can be compressed now without keeping other work waiting. */
  hasRoom(): boolean;
  /** The compressed bytes; undefined if compression saves nothing. */
  encode(bytes: Uint8Array, encoding: Encoding, use: CompressionUse): Promise<Uint8Array | undefined>;
}

/**
 * Makes further representations of cached bodies. Only if the encoder has room: otherwise clients get the
 * representations that exist, and the next request asks again.
 *
 * A body has at most one job for a missing coding, and at most one body at a time is compressed at the best level.
 */
export class Compression {
  readonly #encoder: BodyEncoder;
  readonly #log: Log;
  readonly #running = new Map<CachedBody, Promise<void>>();
  #isImproving = false;

  constructor(encoder: BodyEncoder, log: Log) {
    this.#encoder = encoder;
    this.#log = log;
  }

  /** Whether there is room to make another representation now. */
  get hasRoom(): boolean {
    return this.#encoder.hasRoom();
  }

  /** Makes a representation that a client wants; resolves when it is there or cannot be made now. */
  complete(body: CachedBody, encoding: Encoding, onResized: () => void): Promise<void> {
    const running = this.#running.get(body);
    if (running !== undefined) return running;
    const job = this.#make(body, encoding, 'often', onResized).finally(() => this.#running.delete(body));
    this.#running.set(body, job);
    return job;
  }

  /** Replaces the Brotli representation of a popular body by a smaller one, later. */
  improve(body: CachedBody, onResized: () => void): void {
    if (this.#isImproving || !this.hasRoom) return;
    body.isBest = true;
    if (body.identity.bytes.byteLength > maxBestBytes) return;
    this.#isImproving = true;
    void this.#make(body, 'br', 'very often', onResized).finally(() => {
      this.#isImproving = false;
    });
  }

  /** @param onResized called when the representations of the body have another size */
  async #make(
    body: CachedBody,
    encoding: Encoding,
    use: 'often' | 'very often',
    onResized: () => void,
  ): Promise<void> {
    try {
      const bytes = await this.#encoder.encode(body.identity.bytes, encoding, use);
      if (bytes === undefined) body.giveUp();
      else body.add(encoding, bytes, use === 'often' ? '' : '-best');
      onResized();
    } catch (error) {
      this.#log.warn({ err: error }, 'a body could not be compressed');
    }
  }
}
