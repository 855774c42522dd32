import { Type } from 'typebox';

/** What a process finds out about templates of one language. */
export const TemplateFigures = Type.Object({
  /** First template of the process, microseconds by KB of source: the compiler itself is cold too. */
  coldPerKb: Type.Number(),
  /** Each further template, median. */
  warmPerKb: Type.Number(),
  /** Heap by compiled template, bytes; source texts aside. */
  bytesPerTemplate: Type.Number(),
});
export type TemplateFigures = Type.Static<typeof TemplateFigures>;

/** What a process finds out about many pages on one layout. */
export const PageFigures = Type.Object({
  layoutBytes: Type.Integer(),
  pageBytes: Type.Integer(),
  /** Heap by page, bytes; source texts aside. */
  bytesPerPage: Type.Number(),
  /** Templates made into code for all pages. */
  emitted: Type.Integer(),
  /** Made anew after another text of a snippet that all pages reach. */
  emittedAfterText: Type.Integer(),
  /** Made anew after that snippet has come to read another variable. */
  emittedAfterVariable: Type.Integer(),
});
export type PageFigures = Type.Static<typeof PageFigures>;
