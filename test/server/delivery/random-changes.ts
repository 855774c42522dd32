import { type Address, expectedAnswer } from './expected-answer.ts';
import { Random } from './random.ts';
import { RandomContent } from './random-content.ts';
import { type Received, SiteFixture } from './site-fixture.ts';

/** What a check of random changes has seen. */
export interface StaleReport {
  readonly rounds: number;
  readonly compared: number;
  /** Answers of the cache after a change, made before that change. */
  readonly reused: number;
  readonly rendered: number;
  /** Answers that differ from a render that starts from nothing. */
  readonly stale: readonly string[];
}

/**
 * Changes random rows of a random website, one transaction a round, and after each compares answers of the
 * page cache with those of a new worker, which keeps nothing. Same seed, same rounds.
 */
export async function checkRandomChanges(options: {
  readonly seed: number;
  readonly rounds: number;
  /** Addresses compared per round, besides that of a sitemap. */
  readonly visits?: number;
}): Promise<StaleReport> {
  const site = new SiteFixture({ workers: 1 });
  try {
    return await new RandomChanges(site, options.seed).run(options.rounds, options.visits ?? 5);
  } finally {
    await site.close();
  }
}

/** After so many problems the search ends. */
const maxProblems = 5;

class RandomChanges {
  readonly #site: SiteFixture;
  readonly #seed: number;
  readonly #random: Random;
  readonly #content: RandomContent;
  readonly #stale: string[] = [];
  /** Addresses asked for lately. Most requests ask for one of them again. */
  #recent: Address[] = [];
  #compared = 0;
  #reused = 0;
  #rendered = 0;

  constructor(site: SiteFixture, seed: number) {
    this.#site = site;
    this.#seed = seed;
    this.#random = new Random(seed);
    this.#content = new RandomContent(this.#random);
  }

  async run(rounds: number, visits: number): Promise<StaleReport> {
    this.#site.change((db) => this.#content.fill(db));
    for (let round = 0; round < rounds && this.#stale.length < maxProblems; round++) {
      this.#change(1 + this.#random.below(3));
      const sitemap = this.#content.sitemap(this.#site.db);
      const addresses = [sitemap, ...Array.from({ length: visits }, () => this.#address())];
      const answers = addresses.map((address) => this.#visit(address));
      if (this.#random.below(4) === 0) {
        // A change while pages are rendered: answers to requests after it must show it.
        this.#change(1);
        await this.#compare(
          round,
          addresses,
          addresses.map((address) => this.#visit(address)),
        );
        await Promise.all(answers);
      } else {
        await this.#compare(round, addresses, answers);
      }
    }
    return {
      rounds,
      compared: this.#compared,
      reused: this.#reused,
      rendered: this.#rendered,
      stale: this.#stale,
    };
  }

  /**
   * The clock moves with changes only: without one, a page that shows the time of day may stay as it is. Some
   * changes are logged as changes of unknown extent, as those of very many rows are (`server/change-log.ts`).
   */
  #change(count: number): void {
    const { version, cache } = this.#site;
    const before = version.current();
    this.#site.change((db) => {
      for (let left = count; left > 0; left--) this.#content.changeSomething(db);
      if (this.#random.below(30) === 0) this.#content.hideExtent(db, before);
    });
    if (version.current() === before) return;
    this.#site.nowMs += 60_000;
    const { entries } = cache.stats();
    if (entries > 0) this.#note(`${entries} entries after a change`);
  }

  async #visit({ host, target }: Address): Promise<Received> {
    const answer = await this.#site.get(target, { host });
    if (answer.headers.get('x-cache') === 'MISS') {
      if (answer.sync) this.#reused += 1;
      else this.#rendered += 1;
    }
    return answer;
  }

  async #compare(
    round: number,
    addresses: readonly Address[],
    answers: readonly Promise<Received>[],
  ): Promise<void> {
    for (const [index, address] of addresses.entries()) {
      const answer = await answers[index];
      const expected = await expectedAnswer(this.#site, address);
      this.#compared += 1;
      const text = answer === undefined || answer.status >= 500 ? '' : answer.text;
      const found = `${answer?.status} ${answer?.headers.get('location') ?? ''}${text}`;
      if (found === expected) continue;
      this.#note(`round ${round}, ${address.host}${address.target}: ${found} instead of ${expected}`);
    }
  }

  #note(problem: string): void {
    this.#stale.push(`seed ${this.#seed}, ${problem}`);
  }

  #address(): Address {
    const again = this.#random.below(5) < 3 ? this.#random.one(this.#recent) : undefined;
    if (again !== undefined) return again;
    const address = this.#content.address(this.#site.db);
    this.#recent = [address, ...this.#recent.slice(0, 7)];
    return address;
  }
}
