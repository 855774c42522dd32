import type { Template } from '../../grammar/ast.ts';
import type { TemplateError } from '../../grammar/errors.ts';
import type { Facts } from '../facts.ts';
import type { CompilerOptions } from '../options.ts';
import type { ContentLookup } from './content-lookup.ts';
import type { TemplateCode } from './levels.ts';

export type FindingCode = Exclude<TemplateCode, 'template.syntax'>;

export interface Finding {
  readonly code: FindingCode;
  readonly error: TemplateError;
  readonly params: FindingParams;
}

/** `name`: what the finding is about. `suggestion`: what was probably meant, if something is near. */
export type FindingParams = Readonly<Record<string, string | number>>;

/** The text of a finding, and its params without those of the place. */
export interface FindingText {
  readonly reason: string;
  readonly params: FindingParams;
}

/** Reports a finding. `describe` is a function, because only the findings that are shown need their text. */
export type ReportFinding = (offset: number, code: FindingCode, describe: () => FindingText) => void;

/** A template whose findings are looked for, with all that is known around it. */
export interface CheckedTemplate {
  readonly template: Template;
  readonly facts: Facts;
  readonly world: ContentLookup;
  readonly options: Pick<CompilerOptions, 'filters' | 'functions'>;
  readonly others: OtherTemplateFacts;
  readonly report: ReportFinding;
}

/** Questions about other templates. Each answer is undefined if there is no such template, or if it is wrong. */
export interface OtherTemplateFacts {
  treeOf(name: string): Template | undefined;
  factsOf(name: string): Facts | undefined;
  /** Names that the template may read from its caller; `all` if they cannot be known. */
  readsOf(name: string): ReadonlySet<string> | 'all' | undefined;
}

/** Params with the suggestion, if there is one. */
export function withSuggestion(params: FindingParams, suggestion: string | undefined): FindingParams {
  return suggestion === undefined ? params : { ...params, suggestion };
}
