/** Tasks that check templates and code before they are saved. */
import type { PageRegion, TemplateCode } from '../../engine.ts';

export interface CheckTemplateTask {
  readonly kind: 'check-template';
  readonly name: string;
  readonly source: string;
  /** Whether it is the template of a block type. Default: no. */
  readonly isBlockType?: boolean;
  /** Names of the fields that a collection would have. */
  readonly changed?: { readonly slug: string; readonly fields: readonly string[] };
}

/** Asks which words of pages would show no more if a snippet had another content. */
export interface RegionLossesTask {
  readonly kind: 'region-losses';
  /** Name of the snippet. */
  readonly name: string;
  readonly content: string;
  readonly pageIds: readonly number[];
}

export type RegionLosses = readonly {
  readonly page_id: number;
  readonly path: string;
  readonly name: string;
}[];

/** Asks where a template reads a variable. */
export interface VariableReadsTask {
  readonly kind: 'variable-reads';
  readonly name: string;
  readonly source: string;
  readonly variable: string;
}

/** Asks where a template names a collection or source. */
export interface CollectionReadsTask {
  readonly kind: 'collection-reads';
  readonly name: string;
  readonly source: string;
  readonly slug: string;
}

/** Line and column, both from 1. */
export interface ReadPosition {
  readonly line: number;
  readonly column: number;
}

/** A literal name with its offset. */
export interface NamePosition extends ReadPosition {
  readonly offset: number;
}

/** A static finding, in the shape of API warnings. */
export interface TemplateWarning {
  readonly code: TemplateCode;
  readonly error: string;
  readonly params: Readonly<Record<string, string | number>>;
}

/** The result of checking a template without rendering it. */
export interface TemplateReport {
  readonly warnings: readonly TemplateWarning[];
  /** Whether the template, its layouts and includes output the block tree; false if it does not parse. */
  readonly rendersBlocks: boolean;
  /** Names of its slots, `default` for the nameless one. */
  readonly slots: readonly string[];
  /** What it refers to; without duplicates. */
  readonly references: readonly TextReference[];
  /** The regions of a page that has the template, in order of rendering; empty if it cannot be rendered. */
  readonly regions: readonly ReportedRegion[];
}

/** A region, with the place of the tag that leads to it. */
export interface ReportedRegion extends Omit<PageRegion, 'offset'> {
  readonly place: ReadPosition & { readonly template: string };
}

/**
 * What a text refers to. `key` is the name of a snippet, the ID of an asset, file or page as text, the path of a
 * file below /media/ (`media`), a link in the form of `linksIn`, the slug of a collection or source, or a query of
 * one (`content/items/shape.ts`).
 */
export interface TextReference {
  readonly kind: 'snippet' | 'asset' | 'file' | 'media' | 'page' | 'link' | 'collection' | 'query';
  readonly key: string;
}

export interface CheckCodeTask {
  readonly kind: 'check-code';
  /** `function`: the code of a node of a workflow. */
  readonly language: 'css' | 'js' | 'function';
  /** For the texts of the warnings. */
  readonly name: string;
  readonly source: string;
}

/** A fault in code, in the shape of API warnings. */
export interface CodeWarning {
  /**
   * `asset.syntax`: browsers cannot use the text. `asset.ignored`: browsers ignore a part of it.
   * `workflow.awaitMissing`: nobody waits for the promise of a call.
   */
  readonly code: 'asset.syntax' | 'asset.ignored' | 'workflow.awaitMissing';
  readonly error: string;
  readonly params: Readonly<Record<string, string | number>>;
}

/** A value that pages show as markup, with the name of its place. */
export interface MarkupValue {
  readonly type: 'html' | 'markdown';
  readonly field: string;
  readonly text: string;
}

/** Asks which values could run code in browsers. */
export interface CheckMarkupTask {
  readonly kind: 'check-markup';
  readonly values: readonly MarkupValue[];
}

/** What could run code in a value, such as `script` or `onclick`. */
export interface UnsafeMarkup {
  readonly field: string;
  readonly found: readonly string[];
}
