import type { TemplateFunction } from '../engine.ts';

/** Thrown by `not_found()`. The engine passes it unchanged to the code that renders the page. */
export class NotFoundSignal extends Error {
  readonly passThrough = true;

  constructor() {
    super('the page called not_found()');
  }
}

/**
 * `not_found()`: ends rendering, the visitor gets the 404 page.
 *
 *     {% if not entry %}{{ not_found() }}{% endif %}
 */
export const notFoundFunction: TemplateFunction = {
  call() {
    throw new NotFoundSignal();
  },
};
