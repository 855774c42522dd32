import { describe, expect, it } from 'vitest';
import { siteTable } from '../../../runtime/content/site-host.ts';
import { HostPrefixes } from '../../../server/delivery/hosts.ts';

const listed = siteTable([
  { id: 1, domains: 'one.test\nwww.one.test', default_site: false },
  { id: 2, domains: 'two.test', default_site: true },
]);
const open = siteTable([{ id: 1, domains: '', default_site: false }]);

async function prefixesOf(table: typeof listed): Promise<HostPrefixes> {
  const hosts = new HostPrefixes(async () => table);
  await hosts.ready();
  return hosts;
}

describe('host prefixes', () => {
  it('are unknown until the websites are read', async () => {
    const hosts = new HostPrefixes(async () => listed);
    expect(hosts.prefixOf('one.test', 'http')).toBeUndefined();
    await hosts.ready();
    expect(hosts.prefixOf('one.test', 'http')).toBe('http:1@one.test');
  });

  it('never come from websites that were read before a change', async () => {
    const answers = [open, listed];
    let reads = 0;
    const hosts = new HostPrefixes(async () => {
      if (reads === 0) queueMicrotask(() => hosts.clear());
      return answers[reads++] ?? open;
    });
    await hosts.ready();
    expect(reads).toBe(2);
    expect(hosts.prefixOf('one.test', 'http')).toBe('http:1@one.test');
  });

  it('can be requested again after reading the websites failed', async () => {
    let fails = true;
    const hosts = new HostPrefixes(async () => {
      if (fails) throw new Error('locked');
      return listed;
    });
    await expect(hosts.ready()).rejects.toThrow('locked');
    fails = false;
    await hosts.ready();
    expect(hosts.prefixOf('one.test', 'http')).toBe('http:1@one.test');
  });

  it.each([
    ['one.test:8080', 'http:1@one.test'],
    ['one.test.', 'http:1@one.test'],
    ['www.one.test', 'http:1@www.one.test'],
    ['two.test', 'http:2@two.test'],
    ['evil.test', 'http:2@two.test'],
    ['127.0.0.1:99', 'http:2@two.test'],
    ['[::1]:80', 'http:2@two.test'],
  ])('map %s to %s', async (host, prefix) => {
    expect((await prefixesOf(listed)).prefixOf(host, 'http')).toBe(prefix);
  });

  it('differ by scheme, because pages contain absolute URLs', async () => {
    const hosts = await prefixesOf(listed);
    for (const scheme of ['http', 'https', 'http'] as const)
      expect(hosts.prefixOf('one.test', scheme)).toBe(`${scheme}:1@one.test`);
    expect(hosts.admit({ siteId: 1, host: 'one.test', fromRequest: false }, 'https')).toBe(
      'https:1@one.test',
    );
  });

  it.each(['', 'a b', 'a/b', 'a@b', 'evil.test?x', '[::1', 'a:b'])(
    'refuse the malformed host %j',
    async (host) => {
      expect((await prefixesOf(listed)).prefixOf(host, 'http')).toBeUndefined();
    },
  );

  it('are the same for all unlisted hosts', async () => {
    const hosts = await prefixesOf(listed);
    const prefixes = new Set(
      Array.from({ length: 3000 }, (_, index) => hosts.prefixOf(`h${index}.test`, 'http')),
    );
    expect([...prefixes]).toEqual(['http:2@two.test']);
  });

  it('exist for at most eight hosts of a website without domains', async () => {
    const hosts = await prefixesOf(open);
    const admitted = Array.from({ length: 10 }, (_, index) =>
      hosts.admit({ siteId: 1, host: `h${index}.test`, fromRequest: true }, 'http'),
    );
    expect(admitted.filter((prefix) => prefix !== undefined)).toHaveLength(8);
    expect(hosts.prefixOf('h7.test', 'http')).toBe('http:1@h7.test');
    expect(hosts.prefixOf('h8.test', 'http')).toBeUndefined();
  });

  it('are unknown again after clear', async () => {
    const hosts = await prefixesOf(open);
    hosts.admit({ siteId: 1, host: 'a.test', fromRequest: true }, 'http');
    expect(hosts.prefixOf('a.test', 'http')).toBe('http:1@a.test');
    hosts.clear();
    expect(hosts.prefixOf('a.test', 'http')).toBeUndefined();
    await hosts.ready();
    expect(hosts.prefixOf('a.test', 'http')).toBeUndefined();
  });
});
