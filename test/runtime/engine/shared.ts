/** Helpers for the tests of the engine: engines with templates from a map, and values in the format of the fixtures. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { Engine, type EngineOptions, safe } from '../../../runtime/engine.ts';

export type Templates = Readonly<Record<string, string>>;
export type Context = Readonly<Record<string, unknown>>;

/** 2024-05-15 13:45:10 UTC, a Wednesday. */
const now = new Date('2024-05-15T13:45:10Z');

/** An engine with the given templates and a fixed clock. */
export function engineOf(templates: Templates, options: Partial<EngineOptions> = {}): Engine {
  const sources = new Map(Object.entries(templates));
  return new Engine({ load: (name) => sources.get(name), timeZone: 'UTC', now: () => now, ...options });
}

/** Renders `source` as template `page`, in an engine of its own. */
export async function renderOnce(
  source: string,
  context: Context = {},
  templates: Templates = {},
  options: Partial<EngineOptions> = {},
): Promise<string> {
  return engineOf({ ...templates, page: source }, options).render('page', context);
}

/** A new folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'incipit-engine-'));
  folders.push(folder);
  return folder;
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Decodes the values of a context from JSON: `{ "$safe": "..." }` is safe HTML. */
function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [[tag, content] = ['', undefined]] = entries;
  if (tag === '$safe') return safe(String(content));
  if (tag === '$tuple') return decode(content);
  if (tag === '$datetime' || tag === '$date') return content;
  return Object.fromEntries(entries.map(([key, entry]) => [key, decode(entry)]));
}

export function decodeContext(context: object): Context {
  return Object.fromEntries(Object.entries(context).map(([key, value]) => [key, decode(value)]));
}
