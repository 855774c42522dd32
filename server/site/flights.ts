/**
 * Work in flight, shared by all who ask for the same at the same content version.
 *
 * Invariant: nobody gets what was made before a change that was answered before they asked. A flight is joined
 * only if it left at the current version; and if the content moved while it was under way, its passengers board
 * the next one, at most `MAX_RESTARTS` times. Whoever gives up then holds a result that began after they asked,
 * which is all that can be promised while changes pour in.
 */
export class Flights<Result extends { readonly version: number }> {
  readonly #currentVersion: () => number;
  readonly #inFlight = new Map<string, Flight<Result>>();

  constructor(currentVersion: () => number) {
    this.#currentVersion = currentVersion;
  }

  /** `start` begins the work of a flight; it runs once for everybody on board. */
  async take(key: string, start: () => Promise<Result>): Promise<Result> {
    let result = await this.#board(key, start);
    for (let restart = 0; restart < MAX_RESTARTS && result.version !== this.#currentVersion(); restart += 1) {
      result = await this.#board(key, start);
    }
    return result;
  }

  #board(key: string, start: () => Promise<Result>): Promise<Result> {
    const version = this.#currentVersion();
    const known = this.#inFlight.get(key);
    if (known?.version === version) return known.promise;
    const flight: Flight<Result> = { version, promise: start() };
    this.#inFlight.set(key, flight);
    const land = () => {
      if (this.#inFlight.get(key) === flight) this.#inFlight.delete(key);
    };
    flight.promise.then(land, land);
    return flight.promise;
  }
}

const MAX_RESTARTS = 3;

interface Flight<Result> {
  readonly version: number;
  readonly promise: Promise<Result>;
}
