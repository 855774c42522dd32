import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { useCurrentSite } from '../../../content/current-site.ts';
import { pageQuery } from '../../../content/pages.ts';
import { toFieldRecord } from '../../../editing/merge/fields.ts';
import { BlockEditor } from '../../../editors/blocks/block-editor.tsx';
import { ForeignLink } from '../../../editors/blocks/foreign-link.tsx';
import type { BlockFacts } from '../../../editors/blocks/model/rules.ts';
import { toBlockTree } from '../../../editors/blocks/model/tree.ts';
import { useBlockFacts } from '../../../editors/blocks/state/facts.ts';
import { bareTemplate, type PreviewPlan } from '../../../editors/blocks/state/preview-plan.ts';
import { useBlockEditing, useTreeFault } from '../../../editors/blocks/state/use-block-editing.ts';
import { useContentVersion } from '../../../editors/preview/content-version.ts';
import { createEntryKey, toEntryBody } from './entry-store.ts';
import type { EntryTree } from './entry-tree.ts';

/** The blocks of an entry, in its detail page where that prints them, else alone. */
export function EntryBlocks(props: EntryTree) {
  const facts = useBlockFacts();
  return facts === undefined ? null : <OpenBlocks {...props} facts={facts} />;
}

function OpenBlocks({ facts, ...props }: EntryTree & { readonly facts: BlockFacts }) {
  const { store, field } = props;
  const key = createEntryKey(field.name);
  const editing = useBlockEditing(store, key, facts);
  const fault = useTreeFault(store, () => toBlockTree(store.get(key)));
  const [isUnprinted, setUnprinted] = useState(false);
  const plan = usePlan(props, isUnprinted);
  if (plan === undefined) return null;
  return (
    <BlockEditor
      editing={editing}
      plan={plan}
      title={field.label}
      fault={fault}
      foreign={(origin) => <ForeignLink origin={origin} />}
      onUnprinted={() => setUnprinted(true)}
    >
      <p className="quiet line">{t('blocks.choose')}</p>
    </BlockEditor>
  );
}

/** How the blocks are shown. @param isBare alone, because the detail page does not print them */
function usePlan({ collection, entryId, store, field }: EntryTree, isBare: boolean): PreviewPlan | undefined {
  const site = useCurrentSite() ?? 0;
  const version = useContentVersion();
  const changes = useSyncExternalStore(store.subscribe, () => store.changes);
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const detail = store.get(createEntryKey(collection.detail_field));
  const hasDetail = collection.detail_page_id !== 0 && typeof detail === 'string' && detail !== '';
  const isDetail = hasDetail && !isBare;
  const pageId = isDetail ? collection.detail_page_id : site;
  const { data: page } = useQuery({ ...pageQuery(pageId), enabled: pageId !== 0 });
  const body = useMemo(() => {
    const { data } = toEntryBody(toFieldRecord({ ...base, ...changes }));
    if (!isDetail) return { html: bareTemplate, blocks: data[field.name] ?? [] };
    return { rest: [String(detail)], item: { collection: collection.slug, id: entryId, data } };
  }, [base, changes, isDetail, detail, collection.slug, entryId, field.name]);
  if (page === undefined) return undefined;
  const origin = isDetail ? `item:${collection.slug}:${entryId}:${field.name}` : 'page.blocks';
  return { pageId, path: page.path, origin, body, version };
}
