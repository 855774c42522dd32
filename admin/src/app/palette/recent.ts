const storageKey = 'ic-recent';
const maxRecent = 20;

/** IDs of what was chosen in the palette last, the newest first. */
export function recentTargets(): readonly string[] {
  return (localStorage.getItem(storageKey) ?? '').split('\n').filter(Boolean);
}

export function noteRecent(id: string): void {
  const ids = [id, ...recentTargets().filter((other) => other !== id)].slice(0, maxRecent);
  localStorage.setItem(storageKey, ids.join('\n'));
}
