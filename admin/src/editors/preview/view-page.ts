import type { Command } from '../../commands/command.ts';
import { openPage, type ViewedPage } from '../../content/public-address.ts';

/** The page as visitors see it. It takes the place of the command that shows the website. */
export function viewPage(page: ViewedPage): Command {
  return {
    id: 'page.view',
    label: 'page.view',
    icon: 'arrow-square-out',
    keys: 'F8',
    run: () => openPage(page),
  };
}
