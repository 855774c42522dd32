import { logOut } from '../../api/session/session.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { apiCallCommand } from '../../commands/api-call.ts';
import type { Command } from '../../commands/command.ts';
import { openPage, type ViewedPage } from '../../content/public-address.ts';
import { openDialog } from '../../ui/floating/dialogs.ts';

/** Commands that exist on every screen. */
export const frameCommands = {
  palette: {
    id: 'frame.palette',
    label: 'palette.search',
    icon: 'magnifying-glass',
    keys: 'mod+K',
    run: () => openDialog('palette'),
  },
  shortcuts: {
    id: 'frame.shortcuts',
    label: 'shortcuts.title',
    icon: 'keyboard',
    keys: 'F1 mod+/',
    run: () => openDialog('shortcuts'),
  },
  newSite: { id: 'site.new', label: 'site.new', icon: 'plus', run: () => openDialog('newSite') },
  apiCall: apiCallCommand(),
  apiReference: screenCommand('api', 'nav.api', 'file-text', paths.apiReference()),
  logOut: { id: 'session.logOut', label: 'session.logOut', icon: 'sign-out', run: () => logOut() },
} as const satisfies Record<string, Command>;

/** The website as visitors see it, unless a part of the screen shows one of its pages by the same keys. */
export function viewWebsite(home: ViewedPage): Command {
  return {
    id: 'page.view',
    label: 'frame.viewWebsite',
    icon: 'arrow-square-out',
    keys: 'F8',
    run: () => openPage(home),
  };
}

/** A command that shows a screen. */
export function screenCommand(
  id: string,
  label: Command['label'],
  icon: Command['icon'],
  path: string,
): Command {
  return { id: `screen.${id}`, label, icon, run: () => goTo(path) };
}
