import { useEffect } from 'react';
import { history } from '../../../base/router/history.ts';
import { findBlock } from '../model/tree.ts';
import type { BlockEditing } from './editing.ts';

/** Keeps the chosen block and parameter in the address, where a colleague finds them. */
export function useBlockAddress(editing: BlockEditing): void {
  useEffect(() => {
    const query = new URLSearchParams(history.location.search);
    const id = query.get('b');
    if (id !== null && editing.selection.ids.length === 0 && findBlock(editing.tree, id) !== undefined)
      editing.select({ ids: [id], field: query.get('f') ?? undefined });
    let timer: ReturnType<typeof setTimeout> | undefined;
    let { selection } = editing;
    const write = () => {
      const { pathname, search } = history.location;
      const next = addressOf(editing, search);
      if (next !== search) history.replace(`${pathname}${next}`);
    };
    const stop = editing.subscribe(() => {
      if (editing.selection === selection) return;
      selection = editing.selection;
      // Arrows may go through many blocks.
      clearTimeout(timer);
      timer = setTimeout(write, 300);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [editing]);
}

function addressOf({ selection: { ids, field } }: BlockEditing, search: string): string {
  const query = new URLSearchParams(search);
  query.delete('b');
  query.delete('f');
  const id = ids.at(-1);
  if (id !== undefined) query.set('b', id);
  if (id !== undefined && field !== undefined) query.set('f', field);
  return query.size === 0 ? '' : `?${query}`;
}
