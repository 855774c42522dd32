/** What filters of an engine know of the place where they stand. */
import type { FilterEnv } from '../filters/filter.ts';

/** The options of an engine that filters ask for. */
export interface EnvOptions {
  readonly timeZone?: string;
  now?(precision: 'day' | 'moment'): Date;
}

/** A class, because an object of functions and a getter takes V8 ten times as long to make. */
export class EngineEnv implements FilterEnv {
  readonly autoescape: boolean;
  readonly lang: string;
  readonly #options: EnvOptions;

  constructor(options: EnvOptions, lang: string, autoescape: boolean) {
    this.autoescape = autoescape;
    this.lang = lang;
    this.#options = options;
  }

  get timeZone(): string {
    return this.#options.timeZone ?? ownTimeZone();
  }

  now(precision: 'day' | 'moment' = 'moment'): Date {
    return this.#options.now?.(precision) ?? new Date();
  }
}

let timeZoneOfProcess: string | undefined;

/** Read once, and only if a template shows a time: the first call of `Intl` takes 10 ms. */
function ownTimeZone(): string {
  timeZoneOfProcess ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return timeZoneOfProcess;
}
