import { ApiFailure, toRecord } from './failure.ts';
import { confirmation } from './renewal/confirmation.ts';
import { sessionRenewal } from './renewal/session-renewal.ts';

export interface FormProgress {
  /** Called with the share that has been sent, 0 to 1. */
  onProgress(share: number): void;
  /** Called with the request, which can be aborted. */
  onStart?(request: XMLHttpRequest): void;
}

/**
 * Sends a form with files, and tells how much has been sent. A request whose session has ended is sent again after
 * the next login.
 *
 * @param path below `/api/v1`
 * @throws ApiFailure
 */
export async function sendForm(path: string, form: FormData, progress: FormProgress): Promise<unknown> {
  const { status, body } = await request(path, form, progress);
  if (status === 401) {
    await sessionRenewal.wait();
    return sendForm(path, form, progress);
  }
  const isRefused = status === 403 && toRecord(body)['code'] === 'auth.confirm';
  if (isRefused && (await confirmation.wait())) return sendForm(path, form, progress);
  if (status >= 300) throw new ApiFailure(status, toRecord(body));
  return body;
}

/** By XMLHttpRequest, because `fetch` does not tell how much has been sent. */
function request(
  path: string,
  form: FormData,
  { onProgress, onStart }: FormProgress,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: unknown }>();
  const call = new XMLHttpRequest();
  onStart?.(call);
  call.open('POST', `/api/v1${path}`);
  call.setRequestHeader('X-IC-CSRF', '1');
  call.responseType = 'json';
  call.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
  call.onload = () => resolve({ status: call.status, body: call.response });
  call.onerror = () => reject(ApiFailure.offline());
  call.onabort = () => reject(ApiFailure.offline());
  call.send(form);
  return promise;
}
