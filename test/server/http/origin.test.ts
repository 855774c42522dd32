import { describe, expect, it } from 'vitest';
import { resolveOrigin } from '../../../server/http/origin.ts';

const own = { host: 'inside:8080', scheme: 'http' } as const;

describe('the origin that a visitor used', () => {
  it.each([
    ['127.0.0.1', 'site.test', 'https', 'https://site.test'],
    ['10.1.2.3', 'Site.Test:8443', 'HTTPS', 'https://site.test:8443'],
    ['::1', '', 'https', 'https://inside:8080'],
    ['127.0.0.1', 'site.test', '', 'http://site.test'],
    // Of several entries the last one is from the proxy.
    ['127.0.0.1', 'evil.test, site.test', 'https, http', 'http://site.test'],
    ['127.0.0.1', 'a b', 'gopher', 'http://inside:8080'],
    ['127.0.0.1', 'a/b', 'https:', 'http://inside:8080'],
    ['127.0.0.1', 'user@site.test', '', 'http://inside:8080'],
    // From other clients the headers are ignored.
    ['203.0.113.9', 'evil.test', 'https', 'http://inside:8080'],
    ['', 'evil.test', 'https', 'http://inside:8080'],
  ])('from %j with %j and %j is %j', (peer, host, proto, expected) => {
    const origin = resolveOrigin(own, peer, host, proto);
    expect(`${origin.scheme}://${origin.host}`).toBe(expected);
  });
});
