import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Databases, openDatabases } from '../../../server/db/open.ts';
import { Counter, type CounterOptions } from '../../../server/features/statistics/counting/counter.ts';
import { OwnStatistics } from '../../../server/features/statistics/counting/database.ts';
import { makeReport, type Scope } from '../../../server/features/statistics/counting/report.ts';
import { DailySalt } from '../../../server/features/statistics/counting/salt.ts';
import type { Visit } from '../../../server/features/statistics/counting/visit.ts';
import type { StatisticsReport } from '../../../server/features/statistics/model.ts';
import { makeTempDir } from '../../support/server.ts';

export const agents = {
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
  chrome:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
} as const;

/** Noon of 10 March 2026, in the time zone of the test. */
export const noon = new Date(2026, 2, 10, 12).getTime();

export function visit(fields: Partial<Visit> = {}): Visit {
  return {
    kind: 'page',
    at: noon,
    times: 1,
    siteId: 1,
    host: 'site.test',
    path: '/',
    referer: '',
    userAgent: agents.firefox,
    peer: '203.0.113.7',
    forwardedFor: '',
    ...fields,
  };
}

/** A counter on a new database. */
export class Fixture {
  readonly dataDir = makeTempDir();
  readonly domains = new Map([
    [1, ['site.test', 'www.site.test']],
    [2, ['other.test']],
  ]);
  databases: Databases;
  /** The writer of `databases`. */
  store: OwnStatistics;
  counter: Counter;
  readonly #findCountry: CounterOptions['findCountry'];

  constructor(findCountry: CounterOptions['findCountry'] = () => undefined) {
    this.#findCountry = findCountry;
    this.databases = openDatabases(this.dataDir, 1000);
    this.store = new OwnStatistics(this.databases.activity.writer);
    this.counter = this.#open();
  }

  get saltFile(): string {
    return join(this.dataDir, 'statistics.salt');
  }

  /** A new process on the same data. */
  restart(): void {
    this.databases.close();
    this.databases = openDatabases(this.dataDir, 1000);
    this.store = new OwnStatistics(this.databases.activity.writer);
    this.counter = this.#open();
  }

  #open(): Counter {
    const salt = new DailySalt(this.saltFile);
    return new Counter({ database: this.store, salt, findCountry: this.#findCountry });
  }

  count(visits: readonly Visit[], countries = true): Promise<void> {
    return this.counter.count({ visits, domains: this.domains, countries });
  }

  report(scope: Partial<Scope> = {}): Promise<StatisticsReport> {
    const { reader } = this.databases.activity;
    return makeReport(reader, { sites: [1], from: 0, to: 40_000, countries: true, ...scope });
  }

  close(): void {
    this.databases.close();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
