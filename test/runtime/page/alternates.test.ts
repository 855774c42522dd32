import { describe, expect, it } from 'vitest';
import type { VersionRecord } from '../../../runtime/content/reader.ts';
import { chosenSite, siteTable } from '../../../runtime/content/site-host.ts';
import { listAlternates } from '../../../runtime/page/alternates.ts';

const site = { siteId: 1, host: 'one.test', fromRequest: false };
const version = (root_id: number, lang: string, path: string): VersionRecord => ({
  id: 0,
  title: '',
  root_id,
  translation_group: 'g',
  lang,
  path,
});

describe('alternatesOf', () => {
  // Only the domains of the home page matter here.
  const roots = new Map([
    [2, { domains: 'two.test\nsecond.test' }],
    [3, { domains: '' }],
  ]);
  const alternates = (versions: readonly VersionRecord[]) =>
    listAlternates(versions, { site, scheme: 'https', root: (id) => roots.get(id) });

  it('are absolute addresses by language', () => {
    expect(alternates([version(2, 'fr', '/b'), version(1, 'en', '/a')])).toEqual([
      { lang: 'en', url: 'https://one.test/a' },
      { lang: 'fr', url: 'https://two.test/b' },
    ]);
  });

  it('leave out websites without a domain, and a version without others', () => {
    const own = version(1, 'en', '/a');
    expect(alternates([own, version(3, 'fr', '/b')])).toEqual([]);
    expect(alternates([own, version(9, 'fr', '/b')])).toEqual([]);
    expect(alternates([own])).toEqual([]);
  });

  it('use the default language when none is set', () => {
    expect(alternates([version(1, '', '/a'), version(1, 'en', '/b')])[0]?.lang).toBe('de');
  });
});

describe('chosenSite', () => {
  const first = { id: 1, parent_id: null, domains: 'one.test', default_site: false };
  const table = siteTable([first]);

  it('is used for hosts that no website lists', () => {
    const open = { ...first, id: 2, domains: '' };
    expect(chosenSite(table, 'localhost:1', open)).toEqual({
      siteId: 2,
      host: 'localhost:1',
      fromRequest: true,
    });
    const named = { ...first, id: 2, domains: 'two.test' };
    expect(chosenSite(table, 'localhost:1', named)).toEqual({
      siteId: 2,
      host: 'two.test',
      fromRequest: false,
    });
    expect(chosenSite(table, 'one.test:1', open)).toBeUndefined();
  });

  it('is a website and no other page', () => {
    expect(chosenSite(table, 'localhost', { ...first, parent_id: 1 })).toBeUndefined();
    expect(chosenSite(table, 'localhost', undefined)).toBeUndefined();
  });
});
