import type * as uWS from 'uWebSockets.js';
import { maxHeaderBytes } from '../transport.ts';

export type Library = typeof uWS;

/** Whether there are binaries for this version of Node.js at all. */
export const isForThisNode = Number.parseInt(process.versions.node, 10) <= 22;

/**
 * Loads uWebSockets.js, a binary made for each system, processor and version of Node.js. Loaded here and not by an
 * import, so that the server starts without it too.
 *
 * @throws Error if there is no binary for this machine
 */
export async function loadLibrary(): Promise<Library> {
  // The library reads its limit of header bytes from the environment when it is loaded; its default is 4 KB.
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(maxHeaderBytes);
  const library = await import('uWebSockets.js');
  // Without this, every response has a header that names the library and its version. The types do not know the call.
  const configure: unknown = Reflect.get(library, '_cfg');
  if (typeof configure === 'function') configure('silent');
  return library;
}
