import { useMemo, useSyncExternalStore } from 'react';
import { UsingPages } from '../../editors/preview/using-pages.tsx';
import type { GlobalStore } from './global-store.ts';

/** The pages with a global block, with what is not saved of it and with the overrides of their own. */
export function GlobalOnPages({ store }: { readonly store: GlobalStore }) {
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const blocks = useSyncExternalStore(store.subscribe, () => store.get('blocks'));
  const unsaved = useMemo(() => ({ global_blocks: { [base.id]: blocks } }), [base.id, blocks]);
  return <UsingPages kind="global_block" id={base.id} unsaved={unsaved} updatedAt={base.updated_at} />;
}
