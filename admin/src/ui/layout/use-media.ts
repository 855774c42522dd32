import { useMediaQuery } from '@mantine/hooks';

/** Whether the window is as a media query says, already when it is drawn first. */
export function useMedia(query: string): boolean {
  return useMediaQuery(query, false, { getInitialValueInEffect: false });
}
