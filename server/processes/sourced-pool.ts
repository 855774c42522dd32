import type { OutsideAnswer, OutsideRequest } from '../../runtime/content/source-data.ts';
import type { ResultOf, Task } from '../../runtime/tasks/messages/index.ts';
import type { NeedsSources } from '../../runtime/tasks/messages/sources.ts';
import { RenderPool } from './pool.ts';

/** Sources and workflows that one render may ask. */
const maxSources = 50;

/**
 * A render pool whose tasks may read REST sources and call workflows. A render process reaches nothing but content:
 * it answers what it needs, the server asks for it, and the task runs again with the answers.
 */
export class SourcedPool extends RenderPool {
  #askSource: ((request: OutsideRequest) => Promise<OutsideAnswer>) | undefined;

  override async run<T extends Task>(task: T, lane?: number): Promise<ResultOf<T>> {
    const sources: OutsideAnswer[] = [];
    for (;;) {
      const result: ResultOf<T> | NeedsSources = await super.run(
        sources.length === 0 ? task : { ...task, sources },
        lane,
      );
      if (!needsSources(result)) return result;
      const ask = this.#askSource;
      if (ask === undefined || sources.length >= maxSources)
        throw new Error(`a page asks more than ${maxSources} sources and workflows`);
      sources.push(...(await Promise.all(result.requests.map((request) => ask(request)))));
    }
  }

  /** Says who asks sources and workflows. */
  answerSourcesWith(ask: (request: OutsideRequest) => Promise<OutsideAnswer>): void {
    this.#askSource = ask;
  }
}

function needsSources(result: unknown): result is NeedsSources {
  return typeof result === 'object' && result !== null && Reflect.get(result, 'kind') === 'needs-sources';
}
