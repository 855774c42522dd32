import type { BlockTypeSchema, PageLayout, Warning } from '../../api/generated/schema.ts';

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

type CodeChange = Partial<CodeObject> & { readonly base_updated_at: number };

/** What the resources of both kinds have in common. */
export interface CodeResource {
  readonly name: string;
  useList(): { readonly data: readonly Omit<CodeObject, 'content'>[] | undefined };
  useOne(id: number): { readonly data: CodeObject | undefined; readonly error: Error | null };
  load(id: number): Promise<CodeObject>;
  update(id: number, body: CodeChange, isStrict: boolean): Promise<CodeObject>;
  remove(id: number, isOnlyUnused: boolean): Promise<void>;
  changed(): Promise<void>;
}

/** Which objects a code screen is about. */
export interface CodeKind {
  readonly name: 'snippet' | 'asset';
  readonly resource: CodeResource;
  /** Whether objects have a description. */
  readonly isDescribed: boolean;
  path(id: number | undefined): string;
  languageOf(object: Pick<CodeObject, 'kind'>): CodeLanguage;
  create(fields: { readonly name: string; readonly kind: 'css' | 'js' }): Promise<CodeObject>;
}
