import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { paths } from '../app/paths.ts';
import type { Command } from '../commands/command.ts';
import { usePageTree } from '../pages/queries.ts';
import type { Entry } from './rank.ts';
import { recentTargets } from './recent.ts';

/** What the palette searches: commands on offer, then pages, recently used ones first. */
export function useEntries(commands: readonly Command[]): readonly Entry[] {
  const { t } = useTranslation();
  const { data: pages } = usePageTree();
  const ofPages = useMemo(
    () =>
      (pages ?? []).map(
        (page): Entry => ({
          id: `page ${page.id}`,
          kind: 'page',
          title: page.title,
          detail: page.path,
          target: paths.page(page.root_id, page.id),
        }),
      ),
    [pages],
  );
  const ofCommands = commands
    .filter((command) => command.can?.() !== false)
    .map(
      (command): Entry => ({
        id: `command ${command.id}`,
        kind: 'command',
        title: t(command.label),
        detail: '',
        target: command.id,
      }),
    );
  const recent = recentTargets();
  const sorted = useMemo(() => {
    const order = new Map(recent.map((id, index) => [id, index]));
    return ofPages.toSorted((left, right) => (order.get(left.id) ?? 1e9) - (order.get(right.id) ?? 1e9));
  }, [ofPages, recent]);
  return [...ofCommands, ...sorted];
}
