import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useSyncExternalStore } from 'react';
import { useCurrentSite } from '../../content/current-site.ts';
import { globalUsageQuery } from '../../content/global-blocks.ts';
import { pageQuery } from '../../content/pages.ts';
import { BlockEditor } from '../../editors/blocks/block-editor.tsx';
import { ForeignLink } from '../../editors/blocks/foreign-link.tsx';
import type { BlockFacts } from '../../editors/blocks/model/rules.ts';
import { toBlockTree } from '../../editors/blocks/model/tree.ts';
import { useBlockFacts } from '../../editors/blocks/state/facts.ts';
import { bareTemplate } from '../../editors/blocks/state/preview-plan.ts';
import { useBlockAddress } from '../../editors/blocks/state/use-block-address.ts';
import { useBlockEditing, useTreeFault } from '../../editors/blocks/state/use-block-editing.ts';
import { useContentVersion } from '../../editors/preview/content-version.ts';
import type { GlobalStore } from './global-store.ts';

interface GlobalBlocksProps {
  readonly store: GlobalStore;
  /** What the panel shows while no block is chosen. */
  readonly children: ReactNode;
}

/** The blocks of a global block, shown in a page that uses it. */
export function GlobalBlocks(props: GlobalBlocksProps) {
  const facts = useBlockFacts(props.store.base.id);
  return facts === undefined ? null : <OpenBlocks {...props} facts={facts} />;
}

function OpenBlocks({ store, facts, children }: GlobalBlocksProps & { readonly facts: BlockFacts }) {
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const blocks = useSyncExternalStore(store.subscribe, () => store.get('blocks'));
  const editing = useBlockEditing(store, 'blocks', facts);
  const fault = useTreeFault(store, () => toBlockTree(store.get('blocks')));
  useBlockAddress(editing);
  const version = useContentVersion();
  const page = usePageAround(base.id);
  // The page shows these blocks alone, with its own head and style sheets.
  const isPrinted = page?.renders_blocks === true;
  const body = useMemo(() => ({ blocks, ...(isPrinted ? {} : { html: bareTemplate }) }), [blocks, isPrinted]);
  if (page === undefined) return null;
  const plan = { pageId: page.id, path: page.path, origin: 'page.blocks', body, version };
  return (
    <BlockEditor
      editing={editing}
      plan={plan}
      title={base.name}
      fault={fault}
      foreign={(origin) => <ForeignLink origin={origin} />}
    >
      {children}
    </BlockEditor>
  );
}

/** A page that uses the block, else the home page of the chosen website. */
function usePageAround(id: number) {
  const { data: usage } = useQuery(globalUsageQuery(id));
  const site = useCurrentSite() ?? 0;
  const pageId = usage?.find(({ kind }) => kind === 'page')?.id ?? site;
  const { data: page } = useQuery({ ...pageQuery(pageId), enabled: usage !== undefined && pageId !== 0 });
  return page;
}
