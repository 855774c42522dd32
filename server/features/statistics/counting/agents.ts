import Bowser from 'bowser';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { placeholders } from '../kinds.ts';

/** What a User-Agent header says, without versions. */
export interface Agent {
  readonly isBot: boolean;
  readonly browser: string;
  readonly os: string;
  readonly device: string;
}

/** Longer headers are cut: what they say stands at the beginning, and patterns must not run for long. */
const maxLength = 512;

/** Parsing takes about 30 µs, and few headers make nearly all visits. */
const known = new LRUCache<string, Agent>({ max: 5000 });

export function classifyAgent(header: string): Agent {
  const text = header.slice(0, maxLength);
  const before = known.get(text);
  if (before !== undefined) return before;
  const agent = parse(text);
  known.set(text, agent);
  return agent;
}

/** Every browser sends the header. */
const bot: Agent = { isBot: true, browser: '', os: '', device: '' };

function parse(text: string): Agent {
  if (text.trim() === '' || isbot(text)) return bot;
  const { browser, os, platform } = Bowser.parse(text);
  return {
    isBot: false,
    browser: listed(browsers, browser.name),
    os: listed(systems, os.name),
    device: listed(devices, platform.type),
  };
}

// Bowser takes names that it does not know from the header, which anyone can choose.
const browsers = new Set(Object.values(Bowser.BROWSER_MAP));
const systems = new Set(Object.values(Bowser.OS_MAP));
const devices = new Set(Object.values(Bowser.PLATFORMS_MAP));

function listed(names: ReadonlySet<string>, name = ''): string {
  return names.has(name) ? name : placeholders.unknown;
}
