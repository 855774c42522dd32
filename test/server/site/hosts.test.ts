import { describe, expect, it } from 'vitest';
import { siteTable } from '../../../runtime/page/site-host.ts';
import { HostPrefixes } from '../../../server/site/hosts.ts';

const LISTED = siteTable([
  { id: 1, domains: 'one.test\nwww.one.test', default_site: false },
  { id: 2, domains: 'two.test', default_site: true },
]);
const OPEN = siteTable([{ id: 1, domains: '', default_site: false }]);

function learned(table: typeof LISTED): HostPrefixes {
  const hosts = new HostPrefixes();
  hosts.learn(table);
  return hosts;
}

describe('host prefixes', () => {
  it('are unknown until the websites are', () => {
    const hosts = new HostPrefixes();
    expect(hosts.wantsTable).toBe(true);
    expect(hosts.prefixOf('one.test')).toBeUndefined();
    hosts.learn(LISTED);
    expect(hosts.wantsTable).toBe(false);
    expect(hosts.prefixOf('one.test')).toBe('1@one.test');
  });

  it.each([
    ['one.test:8080', '1@one.test'],
    ['one.test.', '1@one.test'],
    ['www.one.test', '1@www.one.test'],
    ['two.test', '2@two.test'],
    ['evil.test', '2@two.test'],
    ['127.0.0.1:99', '2@two.test'],
    ['[::1]:80', '2@two.test'],
  ])('map %s to %s', (host, prefix) => {
    expect(learned(LISTED).prefixOf(host)).toBe(prefix);
  });

  it.each(['', 'a b', 'a/b', 'a@b', 'evil.test?x', '[::1', 'a:b'])('refuse the malformed host %j', (host) => {
    expect(learned(LISTED).prefixOf(host)).toBeUndefined();
  });

  it('give one prefix to any number of unlisted hosts', () => {
    const hosts = learned(LISTED);
    const prefixes = new Set(Array.from({ length: 3000 }, (_, index) => hosts.prefixOf(`h${index}.test`)));
    expect([...prefixes]).toEqual(['2@two.test']);
  });

  it('cache at most eight hosts of a website without domains', () => {
    const hosts = learned(OPEN);
    const admitted = Array.from({ length: 10 }, (_, index) =>
      hosts.admit({ siteId: 1, host: `h${index}.test`, fromRequest: true }),
    );
    expect(admitted.filter((prefix) => prefix !== undefined)).toHaveLength(8);
    expect(hosts.prefixOf('h7.test')).toBe('1@h7.test');
    expect(hosts.prefixOf('h8.test')).toBeUndefined();
  });

  it('know nothing after clear', () => {
    const hosts = learned(OPEN);
    hosts.admit({ siteId: 1, host: 'a.test', fromRequest: true });
    expect(hosts.prefixOf('a.test')).toBe('1@a.test');
    hosts.clear();
    expect(hosts.prefixOf('a.test')).toBeUndefined();
    hosts.learn(OPEN);
    expect(hosts.prefixOf('a.test')).toBeUndefined();
  });
});
