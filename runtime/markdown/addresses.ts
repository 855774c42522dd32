/** Addresses of links and images: which are kept, and how they are written. */

/** Whether authors or anyone may have written the text. */
export type Trust = 'author' | 'anyone';

const linkProtocols: Readonly<Record<Trust, RegExp>> = {
  author: /^(?:https?|ircs?|mailto|tel|xmpp)$/i,
  anyone: /^(?:https?|mailto|tel)$/i,
};

const imageProtocols = /^https?$/i;

/** The address, or nothing if it has a protocol that is not allowed. */
export function linkAddress(address: string, trust: Trust): string {
  return hasProtocol(address, linkProtocols[trust]) ? address : '';
}

/** The address, or nothing if it has a protocol that is not allowed. */
export function imageAddress(address: string): string {
  return hasProtocol(address, imageProtocols) ? address : '';
}

/** Whether the address has one of the protocols, or none: the first colon is part of a path, query or fragment. */
function hasProtocol(address: string, protocols: RegExp): boolean {
  const end = address.search(/[:/?#]/);
  return end < 0 || address[end] !== ':' || protocols.test(address.slice(0, end));
}

/** Writes what may not stand in an address as percent codes. Existing percent codes are kept. */
export function encodeAddress(address: string): string {
  return address.toWellFormed().replace(/%(?![\da-z]{2})|[^\w%!#$&'()*+,\-./:;=?@~]+/gi, encodeURIComponent);
}
