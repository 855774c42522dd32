import type { ReactNode } from 'react';
import { history } from '../../base/router/history.ts';
import { SharedValue, useShared } from '../../base/shared-value.ts';

/** A dialog of the frame by its name, or any other one. */
export type OpenDialog =
  | 'palette'
  | 'shortcuts'
  | 'newSite'
  | 'apiCalls'
  | ((onClose: () => void) => ReactNode);

const open = new SharedValue<OpenDialog | undefined>(undefined);

/** Opens a dialog until it closes itself or another screen is shown. Only one is open: there is no dialog on a dialog. */
export const openDialog: (dialog: OpenDialog) => void = (dialog) => open.set(dialog);

/** A dialog that has led to another one leaves that open. */
export function closeDialog(dialog: OpenDialog): void {
  if (open.get() === dialog) open.set(undefined);
}

export function useOpenDialog(): OpenDialog | undefined {
  return useShared(open);
}

let path = history.location.pathname;
history.subscribe(({ location: { pathname } }) => {
  if (pathname !== path) open.set(undefined);
  path = pathname;
});
