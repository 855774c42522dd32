import { useMediaQuery } from '@mantine/hooks';

/** Whether the window is as a media query says, already when it is drawn first. */
export function useMedia(query: string): boolean {
  return useMediaQuery(query, false, { getInitialValueInEffect: false });
}

/** Whether the window has no room for a list and what is open of it side by side. */
export function useIsTight(): boolean {
  return useMedia('(max-width: 1099px)');
}
