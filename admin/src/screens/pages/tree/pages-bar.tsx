import { CommandButton } from '../../../commands/command-button.tsx';
import type { PageTreeEntry } from '../../../content/pages.ts';
import { BulkBar } from '../../../ui/rows/bulk-bar.tsx';
import { pageCommands, publishPages } from '../commands/page-commands.ts';

export interface PagesBarProps {
  readonly pages: readonly PageTreeEntry[];
  onDone(): void;
}

/** What can be done with several chosen pages at once. */
export function PagesBar({ pages, onDone }: PagesBarProps) {
  const commands = pageCommands(pages).filter(({ id }) =>
    ['page.publish', 'page.unpublish', 'page.delete'].includes(id),
  );
  const shown = pages.length === 1 ? [publishPages(pages), ...commands].slice(-2) : commands;
  return (
    <BulkBar count={pages.length} onClear={onDone}>
      {shown.map((command) => (
        <CommandButton key={command.id} command={command} variant="default" size="compact-sm" />
      ))}
    </BulkBar>
  );
}
