import { useMediaQuery } from '@mantine/hooks';

/** Whether the window has no room for a list and what is open of it side by side. */
export function useIsTight(): boolean {
  return useMediaQuery('(max-width: 1099px)', false, { getInitialValueInEffect: false });
}
