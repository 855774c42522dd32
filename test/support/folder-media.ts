import { asRecord } from './api.ts';
import { idOf } from './content.ts';
import { masterToken, type TestServer } from './server.ts';

/** Uploads a text file, and resolves with its ID. */
export async function uploadText(
  server: Pick<TestServer, 'url'>,
  name: string,
  content: string,
  folder = 0,
): Promise<number> {
  const form = new FormData();
  form.set('folder_id', String(folder));
  form.set('file', new Blob([content]), name);
  const headers = { Authorization: `Bearer ${masterToken}` };
  const response = await fetch(`${server.url}/api/v1/files`, { method: 'POST', headers, body: form });
  const body: unknown = await response.json();
  return idOf(asRecord(body));
}
