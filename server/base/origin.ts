/**
 * Whether two addresses lead to the same scheme, host and port. A stored secret stays only as long as they do, because
 * another address would be sent the secret of the first one.
 */
export function hasSameOrigin(left: string, right: string): boolean {
  return originOf(left) === originOf(right);
}

/** A host with a placeholder has no origin; there the text before the path counts. */
function originOf(address: string): string {
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `https://${address}`;
  return URL.parse(text)?.origin ?? text.replace(/^([^/]*\/\/[^/\\?#]*).*$/s, '$1').toLowerCase();
}
