/**
 * The moment between an ended session and a new login: requests wait here, and the frame shows the login over
 * the page. After the login the waiting requests are sent again, so that nothing is lost.
 */
type Listener = () => void;

let waiting: (() => void)[] = [];
const listeners = new Set<Listener>();

export const sessionRenewal = {
  /** Whether requests wait for a login. */
  isNeeded: (): boolean => waiting.length > 0,
  subscribe(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Resolves after the next login. */
  wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting = [...waiting, resolve];
    tell();
    return promise;
  },
  /** Called after a login: lets the waiting requests go on. */
  done(): void {
    const ready = waiting;
    waiting = [];
    tell();
    for (const resolve of ready) resolve();
  },
};

function tell(): void {
  for (const listener of listeners) listener();
}
