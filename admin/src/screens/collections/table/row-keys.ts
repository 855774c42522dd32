import type { KeyboardEvent } from 'react';

/** Left and right lead through the name and the values of a row; what is behind its ends, the list decides. */
export function moveInRow(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (step === 0) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('a, [data-field]')];
  const at = event.target instanceof HTMLElement ? stops.indexOf(event.target) : -1;
  const next = stops[at + step];
  if (at < 0 || next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
}
