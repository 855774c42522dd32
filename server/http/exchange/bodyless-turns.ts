import type { PublicResponse } from '../public-exchange.ts';
import { isBodyless } from './answers.ts';

/**
 * Largest number of requests that are answered without a body from one packet of a client: about 64 KB of heads. An
 * answer in the next turn costs several times as much as one at once.
 */
const maxBodylessPerTurn = 128;

/**
 * With uWebSockets.js, heads without a body go to a buffer, even if the client does not read. So some are answered in
 * the next turn of the event loop: requests that have come in one packet are handled one after the other, and at the
 * one after the unanswered one the library closes the connection.
 */
export class BodylessTurns {
  #count = 0;

  /** Whether this answer must wait for the next turn. */
  mustWait(method: string, answer: PublicResponse): boolean {
    if (!isBodyless(method, answer)) return false;
    this.#count = (this.#count + 1) % maxBodylessPerTurn;
    return this.#count === 0;
  }
}
