import { SharedValue, useShared } from '../../base/shared-value.ts';

/** Dialogs that commands open from anywhere. Only one is open at a time: there is no dialog on a dialog. */
export type DialogName = 'palette' | 'shortcuts' | 'newSite' | 'apiCalls';

const open = new SharedValue<DialogName | undefined>(undefined);

export const openDialog: (name: DialogName | undefined) => void = open.set;

export function useOpenDialog(): DialogName | undefined {
  return useShared(open);
}
