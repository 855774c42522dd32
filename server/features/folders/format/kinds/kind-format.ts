import type { FolderContent, FolderKind, FolderObject } from '../content.ts';
import type { SourceFiles } from '../source-files.ts';

/** Files by path; media are no texts and stand for themselves. */
export type WrittenFiles = Map<string, string>;

/** How objects of a kind lie in a folder: the one description of its reader and writer. */
export interface KindFormat {
  readonly kind: FolderKind;
  /** Reads all objects of the kind. What cannot be read is told and left out. */
  read(files: SourceFiles): readonly FolderObject[];
  /**
   * Writes objects into their files. A kind with one file for all objects writes all of them.
   *
   * @param objects those whose files are wanted
   * @param content the whole folder
   */
  write(objects: readonly FolderObject[], files: WrittenFiles, content: FolderContent): void;
}
