/**
 * The code that draws what floats over a screen. It is a tenth of what the first screen would load, and nothing of
 * it is seen before somebody points at something: so it comes at the first move, touch or key, and until then
 * buttons stand there without it.
 */
import { useSyncExternalStore } from 'react';

type FloatingParts = typeof import('./parts.ts');

let parts: FloatingParts | undefined;
let loading: Promise<void> | undefined;
const listeners = new Set<() => void>();

/** Loads them, once: browsers remember that a file could not be read. @throws TypeError if it could not */
export function loadFloating(): Promise<void> {
  loading ??= load();
  return loading;
}

async function load(): Promise<void> {
  parts = await import('./parts.ts');
  for (const listener of listeners) listener();
}

const firstSigns = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

/** Loads them when the user does something for the first time. Returns what stops that. */
export function loadFloatingAtFirstSign(): () => void {
  const controller = new AbortController();
  const start = () => {
    controller.abort();
    // Nobody has asked for anything yet. Who presses a button is told.
    loadFloating().catch(() => undefined);
  };
  for (const sign of firstSigns)
    addEventListener(sign, start, { capture: true, passive: true, signal: controller.signal });
  return () => controller.abort();
}

/** The parts as soon as they are there. */
export function useFloatingParts(): FloatingParts | undefined {
  return useSyncExternalStore(subscribe, () => parts);
}

/** The parts, for what is only drawn inside of one of them. */
export function floatingParts(): FloatingParts {
  if (parts === undefined) throw new Error('what floats is drawn before its code has come');
  return parts;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
