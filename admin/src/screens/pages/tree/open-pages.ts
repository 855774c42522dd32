import { useLocalStorage } from '@mantine/hooks';
import { useCallback, useMemo } from 'react';

/** Which pages of a website are open in the tree; kept in this browser. */
export function useOpenPages(root: number) {
  const [ids, setIds] = useLocalStorage<readonly number[]>({
    key: `ic-open-${root}`,
    defaultValue: [root],
    getInitialValueInEffect: false,
  });
  const open = useMemo(() => new Set(ids), [ids]);
  const setOpen = useCallback(
    (changed: readonly number[], isOpen: boolean) => {
      setIds((before) => {
        const next = new Set(before);
        for (const id of changed) {
          if (isOpen) next.add(id);
          else next.delete(id);
        }
        return [...next];
      });
    },
    [setIds],
  );
  return { open, setOpen };
}
