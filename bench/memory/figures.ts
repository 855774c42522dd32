import { Type } from 'typebox';

/** Figures of one process about templates of one language. */
export const TemplateFigures = Type.Object({
  /** First template of the process, microseconds per KB of source. The compiler itself is cold, too. */
  coldPerKb: Type.Number(),
  /** Median of the further templates, microseconds per KB of source. */
  warmPerKb: Type.Number(),
  /** Heap per compiled template, bytes, without source texts. */
  bytesPerTemplate: Type.Number(),
});
export type TemplateFigures = Type.Static<typeof TemplateFigures>;

/** Figures of one process about many pages on one layout. */
export const PageFigures = Type.Object({
  layoutBytes: Type.Integer(),
  pageBytes: Type.Integer(),
  /** Heap per page, bytes, without source texts. */
  bytesPerPage: Type.Number(),
  /** Units of code emitted for all pages. */
  emitted: Type.Integer(),
  /** Units emitted again after a change of text in a snippet that all pages reach. */
  emittedAfterText: Type.Integer(),
  /** Units emitted again after a change by which that snippet reads another variable. */
  emittedAfterVariable: Type.Integer(),
});
export type PageFigures = Type.Static<typeof PageFigures>;
