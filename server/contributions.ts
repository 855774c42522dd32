import type { OutsideAnswer, OutsideRequest } from '../runtime/content/source-data.ts';
import type { Feature, Figure, VisitListener } from './feature.ts';

/** What features contribute for all others. It can be read when all features are created. */
export class Contributions {
  #features: readonly Feature[] | undefined;

  /** Tells every feature that listens. */
  readonly visits: VisitListener = {
    missed: (...visit) => {
      for (const { visits } of this.#all) visits?.missed?.(...visit);
    },
    redirected: (...visit) => {
      for (const { visits } of this.#all) visits?.redirected?.(...visit);
    },
    downloaded: (download) => {
      for (const { visits } of this.#all) visits?.downloaded?.(download);
    },
    rendered: (render) => {
      for (const { visits } of this.#all) visits?.rendered?.(render);
    },
  };

  /** @throws Error when features have contributed already */
  fill(features: readonly Feature[]): void {
    if (this.#features !== undefined) throw new Error('contributions are collected once');
    this.#features = features;
  }

  /** Answers what a page asks for outside of content. */
  answerOutside(request: OutsideRequest): Promise<OutsideAnswer> {
    for (const { outside } of this.#all) {
      const answer = outside?.(request);
      if (answer !== undefined) return answer;
    }
    throw new Error('a page asks for what no feature answers');
  }

  figures(): readonly Figure[] {
    return this.#all.flatMap(({ figures = [] }) => figures);
  }

  get #all(): readonly Feature[] {
    if (this.#features === undefined) throw new Error('the features are not created yet');
    return this.#features;
  }
}
