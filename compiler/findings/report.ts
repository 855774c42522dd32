import type { TemplateError } from '../../grammar/errors.ts';

export type FindingCode =
  | 'template.unknownSnippet'
  | 'template.unknownCollection'
  | 'template.unknownField'
  | 'template.unknownAsset'
  | 'template.unsafeContext';

export interface Finding {
  readonly code: FindingCode;
  readonly error: TemplateError;
  readonly params: Readonly<Record<string, string | number>>;
}

/** Reports a finding. `reason` is a function, because only the findings that are shown need their text. */
export type ReportFinding = (
  offset: number,
  code: FindingCode,
  params: Finding['params'],
  reason: () => string,
) => void;
