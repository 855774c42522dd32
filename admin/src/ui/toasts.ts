/** Messages at the edge of the screen. Each stays 8 s, longer while the pointer or the focus is on it. */
export interface Toast {
  readonly id: number;
  readonly tone: 'done' | 'failed';
  readonly message: string;
  /** Takes back what the message tells. */
  readonly undo?: (() => Promise<void>) | undefined;
}

type Listener = () => void;

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<Listener>();

export const toastStore = {
  all: (): readonly Toast[] => toasts,
  subscribe(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  remove(id: number): void {
    set(toasts.filter((toast) => toast.id !== id));
  },
};

/** Most messages on the screen; the oldest go first. */
const maxToasts = 3;

export function showToast(toast: Omit<Toast, 'id'>): void {
  set([...toasts, { ...toast, id: nextId++ }].slice(-maxToasts));
}

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
