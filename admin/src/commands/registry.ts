import { useEffect, useRef } from 'react';
import { SharedValue, useShared } from '../base/shared-value.ts';
import type { Command } from './command.ts';

type Group = { readonly commands: () => readonly Command[] };

/**
 * The commands of what is on the screen, in groups in the order in which the parts of the screen appeared.
 * Keys and the palette look here.
 */
const groups = new SharedValue<readonly Group[]>([]);

/** Offers commands as long as the component is on the screen. */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => {
    const group: Group = { commands: () => latest.current };
    groups.set([...groups.get(), group]);
    return () => groups.set(groups.get().filter((other) => other !== group));
  }, []);
}

/** All commands on offer, those of the innermost part of the screen first; each ID once. */
export function offeredCommands(): readonly Command[] {
  const byId = new Map<string, Command>();
  for (const group of groups.get().toReversed())
    for (const command of group.commands()) if (!byId.has(command.id)) byId.set(command.id, command);
  return [...byId.values()];
}

/** {@link offeredCommands} for a component, which is drawn again when parts of the screen change. */
export function useOfferedCommands(): readonly Command[] {
  useShared(groups);
  return offeredCommands();
}
