import { webAddress } from './address.ts';
import { type Element, findAttribute, setAttribute } from './dom.ts';
import type { ResourceKind, TakenFile } from './messages.ts';

/** What to do with the addresses. A method that returns undefined leaves an address as it is. */
export interface Visitor {
  /** A link to a page. @param url with its fragment @param mustBeAbsolute for readers that know no base */
  link(
    url: URL,
    place: { readonly isFollowed: boolean; readonly mustBeAbsolute: boolean },
  ): string | undefined;
  /** A file that a page loads, or a document that it links to. */
  resource(url: URL, kind: ResourceKind, place: ResourcePlace): string | undefined;
  /** An image in several sizes, with the address of the largest one. */
  image(url: URL): TakenFile | undefined;
  /** An address that is neither. */
  other(url: URL): string | undefined;
}

/** Where the address of a file stands. */
export interface ResourcePlace {
  /** For readers that know no base, such as social networks. */
  readonly mustBeAbsolute: boolean;
  /** Undefined for an address in CSS. */
  readonly element: Element | undefined;
}

/** What visiting an element needs to know. */
export interface VisitContext {
  /** What relative addresses are relative to. */
  readonly base: string;
  readonly visitor: Visitor;
}

/** Replaces an attribute that holds one address. */
export function replaceUrl(
  element: Element,
  name: string,
  { base }: VisitContext,
  replace: (url: URL) => string | undefined,
): void {
  const value = findAttribute(element, name)?.trim() ?? '';
  // A fragment alone leads to a place in the same page, even if a `<base>` says otherwise.
  if (value === '' || value.startsWith('#')) return;
  const url = webAddress(value, base);
  const replacement = url === undefined ? undefined : replace(url);
  if (replacement !== undefined) setAttribute(element, name, replacement);
}
