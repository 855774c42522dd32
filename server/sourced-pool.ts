import type { SourceAnswer, SourceRequest } from '../runtime/content/source-data.ts';
import type { NeedsSources, ResultOf, Task } from '../runtime/tasks/messages.ts';
import { RenderPool } from './render-pool.ts';

/** REST sources that one render may read. */
const maxSources = 50;

/**
 * A render pool whose tasks may read REST sources. A render process reaches no other host: it answers which
 * sources it needs, the server asks them, and the task runs again with the answers.
 */
export class SourcedPool extends RenderPool {
  #askSource: ((request: SourceRequest) => Promise<SourceAnswer>) | undefined;

  override async run<T extends Task>(task: T): Promise<ResultOf<T>> {
    const sources: SourceAnswer[] = [];
    for (;;) {
      const result: ResultOf<T> | NeedsSources = await super.run(
        sources.length === 0 ? task : { ...task, sources },
      );
      if (!needsSources(result)) return result;
      const ask = this.#askSource;
      if (ask === undefined || sources.length >= maxSources)
        throw new Error(`a page reads more than ${maxSources} sources`);
      sources.push(...(await Promise.all(result.requests.map((request) => ask(request)))));
    }
  }

  /** Says who asks REST sources. */
  answerSourcesWith(ask: (request: SourceRequest) => Promise<SourceAnswer>): void {
    this.#askSource = ask;
  }
}

function needsSources(result: unknown): result is NeedsSources {
  return typeof result === 'object' && result !== null && Reflect.get(result, 'kind') === 'needs-sources';
}
