/**
 * The recording of Django's own test suite. It belongs to another project and is read from its own place. Without it
 * there are no cases.
 */
import { existsSync, readFileSync } from 'node:fs';

const recordingFile = new URL('../../../shared/django-cases.json', import.meta.url);

interface Recording<Case> {
  readonly cases: readonly Case[];
}

/** All cases, or none without the recording. Their form is not checked. */
export function recordedCases<
  Case extends { readonly id: string; readonly kind: string },
>(): readonly Case[] {
  if (!existsSync(recordingFile)) return [];
  const recording: Recording<Case> = JSON.parse(readFileSync(recordingFile, 'utf8'));
  return recording.cases;
}
