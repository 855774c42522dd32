/**
 * Files on their way to the server. They go on while other screens are shown; two at a time, each by itself, so
 * that one can be cancelled or tried again alone.
 */
import { sendForm } from '../../api/send-form.ts';
import { SharedValue, useShared } from '../../base/shared-value.ts';
import { filesChanged, type MediaFile } from '../../content/files.ts';
import { uploadSignal } from '../../content/jobs/signal.ts';

export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly state: 'waiting' | 'sending' | 'done' | 'failed';
  /** Share that has been sent, 0 to 1. */
  readonly progress: number;
  readonly error?: unknown;
}

/** What to send, and what to do with the answer. */
interface Order {
  readonly file: File;
  readonly folder: number;
  onDone?: ((file: MediaFile) => void) | undefined;
  request?: XMLHttpRequest;
}

const maxAtOnce = 2;
/** How long the list stays when all is done, in milliseconds. */
const shownMs = 5000;
let nextId = 1;
const uploads = new SharedValue<readonly Upload[]>([]);
let closing: ReturnType<typeof setTimeout> | undefined;
const orders = new Map<number, Order>();

/** Sends files. @param folder ID of a folder, 0 for none @param onDone called for each stored file */
export function uploadFiles(
  files: readonly File[],
  folder: number,
  onDone?: (file: MediaFile) => void,
): void {
  for (const file of files) {
    const id = nextId++;
    orders.set(id, { file, folder, onDone });
    uploads.set([...uploads.get(), { id, name: file.name, state: 'waiting', progress: 0 }]);
  }
  uploadSignal.raise();
  sendNext();
}

/** Stops an upload and forgets it. */
export function cancelUpload(id: number): void {
  orders.get(id)?.request?.abort();
  orders.delete(id);
  uploads.set(uploads.get().filter((upload) => upload.id !== id));
  sendNext();
}

export function retryUpload(id: number): void {
  change(id, { state: 'waiting', progress: 0, error: undefined });
  sendNext();
}

/** Forgets what is done or has failed. */
export function clearUploads(): void {
  for (const { id, state } of uploads.get()) if (isOver(state)) orders.delete(id);
  uploads.set(uploads.get().filter(({ state }) => !isOver(state)));
}

export function isOver(state: Upload['state']): state is 'done' | 'failed' {
  return state === 'done' || state === 'failed';
}

export function useUploads(): readonly Upload[] {
  return useShared(uploads);
}

function sendNext(): void {
  const sending = uploads.get().filter(({ state }) => state === 'sending').length;
  const next = uploads
    .get()
    .filter(({ state }) => state === 'waiting')
    .slice(0, maxAtOnce - sending);
  for (const { id } of next) void send(id);
  clearTimeout(closing);
  if (uploads.get().every(({ state }) => state === 'done')) closing = setTimeout(clearUploads, shownMs);
}

async function send(id: number): Promise<void> {
  const order = orders.get(id);
  if (order === undefined) return;
  change(id, { state: 'sending' });
  try {
    const file = await post(order, (progress) => change(id, { progress }));
    change(id, { state: 'done', progress: 1 });
    order.onDone?.(file);
    void filesChanged();
  } catch (error) {
    if (orders.has(id)) change(id, { state: 'failed', error });
  }
  sendNext();
}

async function post(order: Order, onProgress: (progress: number) => void): Promise<MediaFile> {
  const form = new FormData();
  form.append('folder_id', String(order.folder));
  form.append('file', order.file, order.file.name);
  const answer = await sendForm('/files', form, {
    onProgress,
    onStart: (request) => {
      order.request = request;
    },
  });
  // Type boundary: the answer to an upload of one file is that file.
  return answer as MediaFile;
}

function change(id: number, fields: Partial<Upload>): void {
  uploads.set(uploads.get().map((upload) => (upload.id === id ? { ...upload, ...fields } : upload)));
}
