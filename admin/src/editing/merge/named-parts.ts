/** Fields whose parts are saved one by one: the words of a page, by the names of regions. */
import type { Fields } from './fields.ts';

const prefix = 'regions.';

/**
 * The same object for each of several states, with the words as fields `regions.<name>`. A name without words is null.
 * Objects of other kinds stay as they are.
 */
export function splitWords(...states: readonly Fields[]): readonly Fields[] {
  if (!states.some((state) => 'region_schema' in state)) return states;
  const names = new Set(states.flatMap((state) => Object.keys(readWords(state['regions']))));
  return states.map(({ regions, ...fields }) => {
    if (regions === undefined) return fields;
    const words = readWords(regions);
    const parts = [...names].map((name) => [
      `${prefix}${name}`,
      Object.hasOwn(words, name) ? words[name] : null,
    ]);
    return { ...fields, ...Object.fromEntries(parts) };
  });
}

/** Reverses {@link splitWords} for changed fields. @param base the object that they change */
export function joinWords(changes: Fields, base: Fields): Fields {
  const entries = Object.entries(changes);
  const words = entries.filter(([field]) => field.startsWith(prefix));
  if (words.length === 0) return changes;
  const sent = Object.fromEntries(words.map(([field, value]) => [field.slice(prefix.length), value]));
  const others = entries.filter(([field]) => !field.startsWith(prefix));
  return { ...Object.fromEntries(others), regions: changeWords(readWords(base['regions']), sent) };
}

/** Words with some of them changed; null removes a name. The names keep their order. */
export function changeWords(words: Fields, sent: Fields): Fields {
  return Object.fromEntries(Object.entries({ ...words, ...sent }).filter(([, value]) => value !== null));
}

/** Name of the region that a field of {@link splitWords} is about. */
export function findRegionName(field: string): string | undefined {
  return field.startsWith(prefix) ? field.slice(prefix.length) : undefined;
}

function readWords(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
