import { collections } from '../../../content/collections.ts';
import { usePageTree } from '../../../content/pages.ts';
import { workflows } from '../../../content/workflows.ts';
import type { GrantNames } from './grant-text.ts';

/** The names of what grants are limited to. What is gone has its ID. */
export function useGrantNames(): GrantNames {
  const { data: pages = [] } = usePageTree();
  const { data: known = [] } = collections.useList();
  const { data: flows = [] } = workflows.useList();
  return {
    page: (id) => pages.find((page) => page.id === id)?.path ?? `#${id}`,
    site: (id) => pages.find((page) => page.id === id)?.title ?? `#${id}`,
    collection: (ref) => known.find(({ id, slug }) => id === ref || slug === ref)?.name ?? String(ref),
    workflow: (id) => flows.find((flow) => flow.id === id)?.name ?? `#${id}`,
  };
}
