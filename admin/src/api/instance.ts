/**
 * Whose content this window works on: that of this server, or in remote mode that of another instance. It never
 * changes while a window lives; when it changes, all windows are loaded again, so that no window writes to one
 * instance what was read from another one.
 */
import { api, requireData } from './client.ts';

let current: number | undefined;
const windows = new BroadcastChannel('incipit-instance');
windows.addEventListener('message', () => location.reload());

/** Called with what the server says. @param connection ID of the selected connection; 0 = this server */
export function noteInstance(connection: number): void {
  if (current !== undefined && current !== connection) location.reload();
  current = connection;
}

/** Name of the instance for what is kept in this browser; empty for this server. */
export function instanceName(): string {
  return current === undefined || current === 0 ? '' : `remote ${current} `;
}

/** Begins remote mode, or ends it. @param connection 0 = back to this server */
export async function selectInstance(connection: number): Promise<void> {
  await requireData(api.POST('/connections/select', { body: { id: connection } }));
  windows.postMessage(connection);
  location.assign('/cms-admin/');
}
