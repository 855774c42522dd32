/** Messages at the edge of the screen. Each stays 8 s, longer while the pointer or the focus is on it. */
import { SharedValue } from '../../base/shared-value.ts';

export interface Toast {
  readonly id: number;
  readonly tone: 'done' | 'failed';
  readonly message: string;
  /** Address of what the message is about. */
  readonly show?: string;
  /** Takes back what the message tells. */
  readonly undo?: (() => Promise<void>) | undefined;
}

let nextId = 1;

/** The messages on the screen, the oldest first. */
export const toasts = new SharedValue<readonly Toast[]>([]);

export function removeToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

/** Most messages on the screen; the oldest go first. */
const maxToasts = 3;

export function showToast(toast: Omit<Toast, 'id'>): void {
  toasts.set([...toasts.get(), { ...toast, id: nextId++ }].slice(-maxToasts));
}
