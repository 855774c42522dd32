import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { paths } from '../app/paths.ts';
import type { CodeKind, CodeObject } from '../code/code-object.ts';
import { files, snippets } from '../code/kinds.ts';
import { useCodeObjects } from '../code/queries.ts';
import type { Command } from '../commands/command.ts';
import { usePageTree } from '../pages/queries.ts';
import type { Entry } from './rank.ts';
import { recentTargets } from './recent.ts';

/** What the palette searches: commands on offer, then pages and code, recently used ones first. */
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
  const { data: ofSnippets } = useCodeObjects(snippets);
  const { data: ofFiles } = useCodeObjects(files);
  const ofCode = useMemo(
    () => [
      ...(ofSnippets ?? []).map((object) => codeEntry(snippets, object)),
      ...(ofFiles ?? []).map((object) => codeEntry(files, object)),
    ],
    [ofSnippets, ofFiles],
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
    return [...ofPages, ...ofCode].toSorted(
      (left, right) => (order.get(left.id) ?? 1e9) - (order.get(right.id) ?? 1e9),
    );
  }, [ofPages, ofCode, recent]);
  return [...ofCommands, ...sorted];
}

function codeEntry(kind: CodeKind, { id, name, folder }: Omit<CodeObject, 'content'>): Entry {
  return { id: `${kind.name} ${id}`, kind: kind.name, title: name, detail: folder, target: kind.path(id) };
}
