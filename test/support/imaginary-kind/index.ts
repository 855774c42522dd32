import type { Feature } from '../../../server/feature.ts';
import { noteKind } from './service.ts';

export function notesFeature(): Feature {
  return { kinds: [noteKind] };
}
