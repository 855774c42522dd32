import type { ApiCall } from '../api/api-call.ts';
import type { TextKey } from '../base/i18n/index.ts';
import { openDialog } from '../ui/floating/dialogs.ts';
import type { Command } from './command.ts';

/** A call that has not been sent. */
export interface PlannedCall {
  readonly label: TextKey;
  readonly call: ApiCall;
}

let planned: PlannedCall | undefined;

/** What the part that has opened the dialog would send now; undefined if it would send nothing. */
export function plannedCall(): PlannedCall | undefined {
  return planned;
}

/** Shows what this screen does as calls of the API. @param call what would be sent now */
export function apiCallCommand(call?: () => PlannedCall | undefined): Command {
  return {
    id: 'api.show',
    label: 'apiCall.show',
    icon: 'code',
    run: () => {
      planned = call?.();
      openDialog('apiCalls');
    },
  };
}
