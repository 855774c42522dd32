import { offeredCommands } from './registry.ts';
import { runCommand } from './run.ts';

const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

/** Runs the commands of keys that are pressed anywhere, unless something has used the key already. */
export function startKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const pressed = keysOf(event);
    const command = offeredCommands().find(({ keys }) => keys?.split(' ').includes(pressed));
    if (command === undefined) return;
    event.preventDefault();
    void runCommand(command);
  });
}

/** The keys of an event in the form of commands: `mod+Shift+Z`. */
function keysOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>): string {
  const isMod = isMac ? event.metaKey : event.ctrlKey;
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  // Characters such as `?` and `/` need Shift on some keyboards and not on others.
  const isShift = event.shiftKey && (event.key.length > 1 || /[A-Z]/i.test(event.key));
  return [isMod && 'mod', event.altKey && 'Alt', isShift && 'Shift', key].filter(Boolean).join('+');
}

/** Keys as they stand on the keyboard: `Ctrl K`, on a Mac `⌘ K`. */
export function keyNames(keys: string): string[] {
  const [first = ''] = keys.split(' ');
  const names: Readonly<Record<string, string>> = isMac
    ? { mod: '⌘', Alt: '⌥', Shift: '⇧', Enter: '↩' }
    : { mod: 'Ctrl' };
  const arrows: Readonly<Record<string, string>> = {
    ArrowUp: '↑',
    ArrowDown: '↓',
    ArrowLeft: '←',
    ArrowRight: '→',
  };
  return first.split('+').map((key) => names[key] ?? arrows[key] ?? key);
}
