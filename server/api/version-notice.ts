import type { Actor } from '../base/actor.ts';

/** The version of the program, as far as callers see it (setting `hide_version`). */
export class VersionNotice {
  readonly #version: string;
  readonly #isHidden: () => boolean;

  constructor(version: string, isHidden: () => boolean) {
    this.#version = version;
    this.#isHidden = isHidden;
  }

  /** Empty for a caller without a credential if it is hidden. */
  shownTo({ kind }: Pick<Actor, 'kind'>): string {
    return kind === 'none' && this.#isHidden() ? '' : this.#version;
  }
}
