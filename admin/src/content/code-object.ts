import type { BlockTypeSchema, PageLayout, Warning } from '../api/generated/schema.ts';

export type CodeLanguage = 'html' | 'css' | 'js';

/** A snippet or a CSS or JS file, as far as the code screens go. */
export interface CodeObject {
  readonly id: number;
  readonly name: string;
  readonly folder: string;
  readonly content: string;
  readonly updated_at: number;
  readonly description?: string;
  readonly kind?: 'css' | 'js';
  readonly warnings?: readonly Warning[];
  /** Snippets only. */
  readonly schema?: BlockTypeSchema | null;
  readonly page_layout?: PageLayout | null;
}

/** Which objects a code screen is about. */
export interface CodeKind {
  readonly name: 'snippet' | 'asset';
  /** Whether objects have a description. */
  readonly isDescribed: boolean;
  path(id: number | undefined): string;
  languageOf(object: Pick<CodeObject, 'kind'>): CodeLanguage;
  list(): Promise<readonly Omit<CodeObject, 'content'>[]>;
  get(id: number): Promise<CodeObject>;
  create(fields: { readonly name: string; readonly kind: 'css' | 'js' }): Promise<CodeObject>;
  update(
    id: number,
    fields: Partial<CodeObject> & { readonly base_updated_at: number },
    isStrict: boolean,
  ): Promise<CodeObject>;
  remove(id: number, isOnlyUnused: boolean): Promise<void>;
}
