/** What `pull`, `push` and `diff` take and answer. */
import type { FolderFinding } from '../format/content.ts';

/** 0: done, or no difference. 1: findings, differences or conflicts. 2: wrong use. 3: an answer is needed. 4: no server. */
export type ExitCode = 0 | 1 | 2 | 3 | 4;

export interface FolderConflict {
  readonly file: string;
  readonly field: string;
  readonly base: unknown;
  readonly mine: unknown;
  readonly live: unknown;
}

export interface FolderChange {
  readonly file: string;
  readonly op: 'create' | 'update' | 'delete' | 'move';
  readonly fields: readonly string[];
}

/** Of long work: what is being done, and how much of it is. */
export interface SyncProgress {
  readonly step: 'read' | 'fetch' | 'upload' | 'send' | 'publish' | 'write';
  readonly done: number;
  readonly total: number;
}

export interface SyncOptions {
  readonly folder: string;
  /** Address of the server; default: the one that `.incipit/` remembers. */
  readonly remote?: string | undefined;
  readonly token?: string | undefined;
  /** A domain of the website, needed if the server has several. */
  readonly site?: string | undefined;
  /** Where the base is noted; default: `.incipit` in the folder. */
  readonly stateDir?: string | undefined;
  onProgress?(progress: SyncProgress): void;
}

export interface PullOptions extends SyncOptions {
  /** Writes both sides of a conflict into the file, between marks. */
  readonly mark?: boolean | undefined;
  /** Leaves private files out. */
  readonly noPrivate?: boolean | undefined;
}

export interface PushOptions extends SyncOptions {
  /** Leaves the changes as a release of this name instead of publishing them. */
  readonly release?: string | undefined;
  /** Deletes without asking. */
  readonly yes?: boolean | undefined;
  /** Sends changed files with findings too. */
  readonly force?: boolean | undefined;
  /** Asks a person about these deletions; without it nobody is asked. */
  confirm?(deletions: readonly FolderChange[]): Promise<boolean>;
}

export interface SyncOutcome {
  readonly findings: readonly FolderFinding[];
  readonly conflicts: readonly FolderConflict[];
  readonly changes: readonly FolderChange[];
  /** ID of the change set that `push` has made; null without one. */
  readonly changeSet: number | null;
  readonly exitCode: ExitCode;
  /** What a person is told about the end, such as why a server refused; undefined if the rest says it. */
  readonly message?: string | undefined;
}
