import type { ApiCall } from '../api/api-call.ts';
import { openDialog } from '../ui/dialogs.ts';
import type { Command } from './command.ts';

let planned: ApiCall | undefined;

/** What a save would send in the editor whose menu has opened the dialog; undefined if nothing has changed. */
export function plannedCall(): ApiCall | undefined {
  return planned;
}

/** Shows what this screen does as calls of the API. @param call what a save would send now */
export function apiCallCommand(call?: () => ApiCall | undefined): Command {
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
