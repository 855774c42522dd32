import { useState } from 'react';

/** Forms that were left before they were sent, by name. The window forgets them when it closes. */
const left = new Map<string, object>();

/**
 * What was changed in a form of settings. It is still there when its screen is left and shown again, until it
 * is sent or dropped (`SettingsButtons`).
 *
 * @param name of the form, one in the whole admin
 * @param secret a field that is never kept
 */
export function useUnsavedChanges<Changes extends object>(
  name: string,
  secret?: keyof Changes,
): readonly [Partial<Changes>, (changes: Partial<Changes>) => void] {
  // Type boundary: each form has its own name.
  const [changes, setChanges] = useState(() => (left.get(name) ?? {}) as Partial<Changes>);
  const change = (next: Partial<Changes>) => {
    const kept = Object.entries(next).filter(([field]) => field !== secret);
    if (kept.length === 0) left.delete(name);
    else left.set(name, Object.fromEntries(kept));
    setChanges(next);
  };
  return [changes, change];
}
