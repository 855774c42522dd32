/** Renders cases with the engine of this repository. */
import { Engine, safe, TemplateError } from '../../runtime/engine.ts';
import { isMap } from '../../runtime/filters/shared/values.ts';
import { filled, listEntries, parseJson } from '../../runtime/values/map.ts';
import { type Case, entryName, type Outcome, sourcesOf } from './case.ts';

/** What Incipit makes of a case. @throws errors that are no template errors: those are defects */
export function outcomeOf(one: Case): Outcome {
  const templates = new Map(Object.entries(sourcesOf(one)));
  const engine = new Engine({ load: (name) => templates.get(name), timeZone: 'UTC', lang: 'en' });
  try {
    const output = engine.render(entryName, contextOf(one));
    if (typeof output !== 'string') throw new Error('a render without functions gave a promise');
    return { output };
  } catch (error) {
    if (error instanceof TemplateError) return { error: error.message };
    throw error;
  }
}

function contextOf({ context }: Case): Record<string, unknown> {
  const made = decoded(parseJson(context));
  if (!isMap(made)) throw new Error('A context is a map');
  return made;
}

function decoded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decoded);
  if (typeof value !== 'object' || value === null) return value;
  const entries = listEntries(value);
  const [[tag, content] = ['', undefined]] = entries;
  if (tag === '$safe') return safe(String(content));
  if (tag === '$date') return new Date(String(content));
  return filled(
    {},
    entries.map(([key, entry]) => [key, decoded(entry)]),
  );
}
