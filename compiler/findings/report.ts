import type { TemplateError } from '../../grammar/errors.ts';
import type { TemplateCode } from './levels.ts';

export type FindingCode = Exclude<TemplateCode, 'template.syntax'>;

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
