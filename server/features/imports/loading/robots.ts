import { readFile } from 'node:fs/promises';
import robotsParser from 'robots-parser';
import type { Fetcher } from './fetcher.ts';

/** What robots.txt of a website says. */
export interface RobotsRules {
  readonly sitemaps: readonly string[];
  /** Shortest time between two requests in milliseconds. */
  readonly pauseMs: number;
  /** Why it could not be read; a website without robots.txt allows everything. */
  readonly fault: string | undefined;
  allows(url: string): boolean;
}

/** Name by which rules can address the import. */
const agent = 'Incipit';
/** What comes after this many bytes does not count (RFC 9309, 2.5). */
const maxBytes = 500 * 1024;
/** A longer pause would make an import of some hundred pages take hours. */
const maxPauseMs = 10_000;

const allowAll: RobotsRules = { sitemaps: [], pauseMs: 0, fault: undefined, allows: () => true };

/** Reads robots.txt of a website. */
export async function readRobots(fetcher: Fetcher, base: URL): Promise<RobotsRules> {
  const url = new URL('/robots.txt', base).href;
  const answer = await fetcher.fetch(url, { maxBytes });
  if (answer.kind !== 'content') {
    const isMissing = answer.kind === 'failed' && answer.status >= 400 && answer.status < 500;
    return { ...allowAll, fault: answer.kind === 'failed' && !isMissing ? answer.reason : undefined };
  }
  if (/html/i.test(answer.contentType)) return allowAll;
  const robots = robotsParser(url, await readFile(answer.file, 'utf8'));
  const delay = robots.getCrawlDelay(agent) ?? 0;
  return {
    sitemaps: robots.getSitemaps(),
    pauseMs: Number.isFinite(delay) && delay > 0 ? Math.min(delay * 1000, maxPauseMs) : 0,
    fault: undefined,
    allows: (address) => robots.isAllowed(address, agent) !== false,
  };
}
