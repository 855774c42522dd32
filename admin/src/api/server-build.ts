/** Notices when the server has a newer admin than the one that runs here. */
type Listener = () => void;

let first: string | undefined;
let changed = false;
const listeners = new Set<Listener>();

export const serverBuild = {
  isNewer: (): boolean => changed,
  subscribe(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Called with the `X-IC-Build` of every answer. */
  note(build: string | null): void {
    if (build === null) return;
    first ??= build;
    if (changed || build === first) return;
    changed = true;
    for (const listener of listeners) listener();
  },
};
