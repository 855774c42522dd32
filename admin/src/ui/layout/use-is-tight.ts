import { useMedia } from './use-media.ts';

/** Whether the window has no room for a list and what is open of it side by side. */
export function useIsTight(): boolean {
  return useMedia('(max-width: 1099px)');
}
