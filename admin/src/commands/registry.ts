import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { Command } from './command.ts';

/**
 * The commands of what is on the screen, in groups in the order in which the parts of the screen appeared.
 * Keys and the palette look here.
 */
type Listener = () => void;
type Group = { readonly commands: () => readonly Command[] };

let groups: readonly Group[] = [];
const listeners = new Set<Listener>();

const registry = {
  subscribe(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  groups: (): readonly Group[] => groups,
};

/** Offers commands as long as the component is on the screen. */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => {
    const group: Group = { commands: () => latest.current };
    set([...groups, group]);
    return () => set(groups.filter((other) => other !== group));
  }, []);
}

/** All commands on offer, those of the innermost part of the screen first; each ID once. */
export function offeredCommands(): readonly Command[] {
  const byId = new Map<string, Command>();
  for (const group of groups.toReversed())
    for (const command of group.commands()) if (!byId.has(command.id)) byId.set(command.id, command);
  return [...byId.values()];
}

/** {@link offeredCommands} for a component, which is drawn again when parts of the screen change. */
export function useOfferedCommands(): readonly Command[] {
  useSyncExternalStore(registry.subscribe, registry.groups);
  return offeredCommands();
}

function set(next: readonly Group[]): void {
  groups = next;
  for (const listener of listeners) listener();
}
