/**
 * The recording of Django's own test suite. It belongs to another project and is read from where it lies; where it is
 * absent there is nothing to compare.
 */
import { existsSync, readFileSync } from 'node:fs';

const RECORDING = new URL('../../../shared/django-cases.json', import.meta.url);

interface Recording<Case> {
  readonly cases: readonly Case[];
}

/** All cases, or none; their shape is the recording's, which nothing here can check. */
export function recordedCases<
  Case extends { readonly id: string; readonly kind: string },
>(): readonly Case[] {
  if (!existsSync(RECORDING)) return [];
  const recording: Recording<Case> = JSON.parse(readFileSync(RECORDING, 'utf8'));
  return recording.cases;
}
