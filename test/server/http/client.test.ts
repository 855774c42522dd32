import { describe, expect, it } from 'vitest';
import { resolveClient } from '../../../server/http/client-address.ts';

describe('the address of a client', () => {
  it.each([
    ['of a direct connection', '203.0.113.7', '', '203.0.113.7'],
    ['with a forged header', '203.0.113.7', '10.0.0.1', '203.0.113.7'],
    ['behind a proxy on this machine', '127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['behind a proxy on this machine, IPv6', '::1', '2001:db8::1', '2001:db8::1'],
    ['behind a private proxy', '10.1.2.3', '203.0.113.7', '203.0.113.7'],
    ['behind 172.16/12', '172.31.0.1', '203.0.113.7', '203.0.113.7'],
    ['behind 192.168/16', '192.168.1.1', '203.0.113.7', '203.0.113.7'],
    ['behind a unique local address', 'fd00::1', '203.0.113.7', '203.0.113.7'],
    ['behind a link-local address', 'fe80::1', '203.0.113.7', '203.0.113.7'],
    ['behind 172.32, which is public', '172.32.0.1', '203.0.113.7', '172.32.0.1'],
    ['with more entries; the last one is from the proxy', '127.0.0.1', '1.1.1.1, 203.0.113.7', '203.0.113.7'],
    ['with entries without spaces', '127.0.0.1', '1.1.1.1,203.0.113.7', '203.0.113.7'],
    ['with a port', '127.0.0.1', '203.0.113.7:5678', '203.0.113.7'],
    ['in brackets', '127.0.0.1', '[2001:db8::1]:5678', '2001:db8::1'],
    ['when the header is no address', '127.0.0.1', 'unknown', '127.0.0.1'],
    ['when its last entry is empty', '127.0.0.1', '203.0.113.7, ', '127.0.0.1'],
    ['when it is a short form', '127.0.0.1', '1.1', '127.0.0.1'],
    ['when it is a number', '127.0.0.1', '3405803783', '127.0.0.1'],
    ['when a number of it is too large', '127.0.0.1', '203.0.113.777', '127.0.0.1'],
    ['when it is far too long', '127.0.0.1', ':'.repeat(8000), '127.0.0.1'],
    ['as IPv6 written out', '2001:0db8:0000:0000:0000:0000:0000:0001', '', '2001:db8::1'],
    ['as IPv4 in IPv6', '0000:0000:0000:0000:0000:ffff:cb00:7107', '', '203.0.113.7'],
    ['as IPv4 in IPv6, a proxy', '::ffff:127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['of a socket that has none', '', '203.0.113.7', ''],
  ])('%s', (_name, peer, forwardedFor, address) => {
    expect(resolveClient(peer, forwardedFor).address).toBe(address);
  });
});

describe('the key of a client for limits', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::', '2001:db8:1:3::/64'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
  ])('%s is %s', (peer, key) => {
    expect(resolveClient(peer, '').key).toBe(key);
  });
});

describe('a local client', () => {
  it.each(['127.0.0.1', '127.9.9.9', '::1', '10.0.0.1', '192.168.0.1', '172.16.0.1', 'fd12::1', 'fe80::1'])(
    'is %s',
    (peer) => {
      expect(resolveClient(peer, '').isLocal).toBe(true);
    },
  );

  it.each(['203.0.113.7', '2001:db8::1', '0.0.0.0', '::', '100.64.0.1', '224.0.0.1', '255.255.255.255', ''])(
    'is not %j',
    (peer) => {
      expect(resolveClient(peer, '').isLocal).toBe(false);
    },
  );

  it('is decided by the client behind the proxy', () => {
    expect(resolveClient('127.0.0.1', '203.0.113.7').isLocal).toBe(false);
    expect(resolveClient('127.0.0.1', '10.0.0.7').isLocal).toBe(true);
  });
});
