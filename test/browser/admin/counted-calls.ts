/** How often a function of the admin was called, as the browser counts it: the build has no profiler of React. */
import type { CDPSession, Page } from 'playwright-core';

interface Coverage {
  readonly result: readonly {
    readonly scriptId: string;
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly {
        readonly startOffset: number;
        readonly endOffset: number;
        readonly count: number;
      }[];
    }[];
  }[];
}

export class CountedCalls {
  readonly #client: CDPSession;

  private constructor(client: CDPSession) {
    this.#client = client;
  }

  /** Counts from now on. */
  static async of(page: Page): Promise<CountedCalls> {
    const client = await page.context().newCDPSession(page);
    await client.send('Debugger.enable');
    await client.send('Profiler.enable');
    await client.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    return new CountedCalls(client);
  }

  /**
   * Calls of the function whose text holds all of `marks`, of nested ones the innermost; then counting ends. Names
   * would not do, because the build shortens them.
   */
  async take(marks: readonly string[]): Promise<number> {
    const { result }: Coverage = await this.#client.send('Profiler.takePreciseCoverage');
    let found = { length: Number.POSITIVE_INFINITY, count: 0 };
    for (const { scriptId, url, functions } of result) {
      if (!url.includes('/cms-admin/assets/')) continue;
      const { scriptSource } = await this.#client.send('Debugger.getScriptSource', { scriptId });
      for (const { ranges } of functions) {
        const [{ startOffset, endOffset, count } = { startOffset: 0, endOffset: 0, count: 0 }] = ranges;
        const text = scriptSource.slice(startOffset, endOffset);
        if (text.length < found.length && marks.every((mark) => text.includes(mark)))
          found = { length: text.length, count };
      }
    }
    await this.#client.detach();
    if (found.length === Number.POSITIVE_INFINITY) throw new Error(`no function holds ${marks.join(', ')}`);
    return found.count;
  }
}
