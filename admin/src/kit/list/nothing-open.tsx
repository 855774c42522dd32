import type { ReactNode } from 'react';
import { Link } from '../../base/router/link.tsx';
import { HiddenTitle } from '../../ui/layout/hidden-title.tsx';
import { EmptyState } from '../../ui/messages/empty-state.tsx';

export interface NothingOpenProps {
  /** Name and address of the list. */
  readonly list: { readonly name: string; readonly path: string };
  /** The address names something that cannot be shown. On a narrow screen, only a link leads to the list then. */
  readonly isFailed: boolean;
  /** The screen has its title already. */
  readonly isPart?: boolean;
  readonly children: ReactNode;
}

/** In place of what could be open of a list. */
export function NothingOpen({ list: { name, path }, isFailed, isPart = false, children }: NothingOpenProps) {
  return (
    <>
      {!isPart && <HiddenTitle>{name}</HiddenTitle>}
      <EmptyState action={isFailed && <Link href={path}>{name}</Link>}>{children}</EmptyState>
    </>
  );
}
