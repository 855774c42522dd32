import { useMemo, useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { paths } from '../../base/router/paths.ts';
import type { Command } from '../../commands/command.ts';
import { files, snippets } from '../../content/code/code-kinds.ts';
import type { CodeKind, CodeObject } from '../../content/code/code-object.ts';
import { usePageTree } from '../../content/pages.ts';
import type { Entry } from './rank.ts';
import { recentTargets } from './recent.ts';

/** Sections of the system with the words that people look for. The screen has them in its menu. */
const sections = [
  ['tokens', 'system.tokens', 'palette.words.tokens'],
  ['security', 'system.security', 'palette.words.security'],
  ['mail', 'system.mail', 'palette.words.mail'],
  ['storage', 'system.storage', 'palette.words.storage'],
  ['cache', 'system.cache', 'palette.words.cache'],
  ['bundles', 'bundles.title', 'palette.words.bundles'],
  ['audit', 'system.audit', 'palette.words.audit'],
] as const;

/** What the palette searches: commands on offer, sections, then pages and code, recently used ones first. */
export function useEntries(commands: readonly Command[]): readonly Entry[] {
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
  const { data: ofSnippets } = snippets.resource.useList();
  const { data: ofFiles } = files.resource.useList();
  const ofCode = useMemo(
    () => [
      ...(ofSnippets ?? []).map((object) => codeEntry(snippets, object)),
      ...(ofFiles ?? []).map((object) => codeEntry(files, object)),
    ],
    [ofSnippets, ofFiles],
  );
  // The IDs stand for the commands, which are made anew with every drawing.
  const available = commands.filter((command) => command.can?.() !== false);
  const ids = available.map(({ id }) => id).join();
  const [recent] = useState(recentTargets);
  const others = useMemo(() => {
    const order = new Map(recent.map((id, index) => [id, index]));
    const entries = [...ofPages, ...ofCode];
    const used = entries.filter(({ id }) => order.has(id));
    used.sort((left, right) => (order.get(left.id) ?? 0) - (order.get(right.id) ?? 0));
    return [...used, ...entries.filter(({ id }) => !order.has(id))];
  }, [ofPages, ofCode, recent]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `available` is a new list each time; `ids` changes only with what is in it
  return useMemo(
    () => [
      ...available.map(
        ({ id, label }): Entry => ({
          id: `command ${id}`,
          kind: 'command',
          title: t(label),
          detail: '',
          target: id,
        }),
      ),
      ...sections.map(
        ([section, title, words]): Entry => ({
          id: `section ${section}`,
          kind: 'section',
          title: t(title),
          detail: t(words),
          target: paths.system(section),
        }),
      ),
      ...others,
    ],
    [ids, others],
  );
}

function codeEntry(kind: CodeKind, { id, name, folder }: Omit<CodeObject, 'content'>): Entry {
  return { id: `${kind.name} ${id}`, kind: kind.name, title: name, detail: folder, target: kind.path(id) };
}
