import { mediaLinksIn } from '../../../runtime/files/links.ts';

/** An object by the name of its kind and its ID. */
export interface ObjectKey {
  readonly kind: string;
  readonly id: number;
}

/** What an object refers to. `key` is an ID as text, the name of a snippet, or a link (`linksIn`). */
export interface Reference {
  readonly kind: string;
  readonly key: string;
}

/** A name under which other objects may refer to an object. */
export interface ReferenceTarget extends Reference {
  /** Only references of this website and of objects of all websites count. Default: all references. */
  readonly rootId?: number;
  /** Whether links to paths below `key` count too. */
  readonly withBelow?: boolean;
}

/** The files that a text in any language names by their addresses. */
export function mediaReferencesIn(text: string): Reference[] {
  return mediaLinksIn(text).map((key) => ({ kind: 'media', key }));
}
