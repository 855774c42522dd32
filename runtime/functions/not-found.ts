import type { TemplateFunction } from '../engine.ts';

/** Thrown by `not_found()`; the engine lets it through to whoever renders the page. */
export class NotFoundSignal extends Error {
  readonly passThrough = true;

  constructor() {
    super('the page called not_found()');
  }
}

/**
 * `not_found()`: ends rendering, the visitor gets the 404 page (open points 2).
 *
 *     {% if not entry %}{{ not_found() }}{% endif %}
 */
export const notFound: TemplateFunction = {
  call() {
    throw new NotFoundSignal();
  },
};
