/** What `incipit dev` shows a folder with: a server of its own, or a change set of another one. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { SyncOutcome } from '../../features/folders/sync/model.ts';

export interface DevTarget {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** For what is remembered of the server. */
  readonly stateDir: string;
  /** Sends a folder, so that pages show it. */
  send(folder: string): Promise<SyncOutcome>;
  /** Where the API takes the text of one object; undefined if only the whole folder can be sent. */
  findTextPath(kind: { readonly path: string; readonly name: string }, id: number): string | undefined;
  /** Changes a request such that its answer is a page of the folder. */
  preparePage(url: URL, headers: OutgoingHttpHeaders): void;
  /** Host for which the server answers; undefined: that of the browser. */
  readonly host: string | undefined;
  /** Whether media come from the folder, because the server does not have their bytes yet. */
  readonly hasOwnMedia: boolean;
  /** Ends it, and leaves nothing behind. */
  stop(): Promise<void>;
}
