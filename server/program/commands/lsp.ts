/** `incipit lsp`: the language server, on standard input and output. */
import { serveLanguage } from '../lsp/server.ts';

/** Never ends by itself: the client says when. */
export function runLsp(): Promise<0> {
  serveLanguage(process.stdin, process.stdout);
  return new Promise((resolve) => process.stdin.once('end', () => resolve(0)));
}
