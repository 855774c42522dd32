/**
 * Loads menus and tooltips at the first pointer move, touch or key. Until then only their buttons are rendered. This
 * code is a tenth of what the first screen would load.
 */
import { SharedValue, useShared } from '../../base/shared-value.ts';

type FloatingParts = typeof import('./parts.ts');

const parts = new SharedValue<FloatingParts | undefined>(undefined);
let loading: Promise<void> | undefined;

/** Loads them, once: browsers remember that a file could not be read. @throws TypeError if it could not */
export function loadFloating(): Promise<void> {
  loading ??= load();
  return loading;
}

async function load(): Promise<void> {
  parts.set(await import('./parts.ts'));
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
  return useShared(parts);
}

/** The parts, for what is only drawn inside of one of them. */
export function floatingParts(): FloatingParts {
  const known = parts.get();
  if (known === undefined) throw new Error('what floats is drawn before its code has come');
  return known;
}
