import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { createFullInvalidation, pageParts } from '../../../runtime/content/change-log.ts';
import { ContentCache } from '../../../runtime/content/content-cache.ts';
import { openSqliteContent } from '../../../runtime/content/sqlite.ts';
import { openDatabases } from '../../../server/db/open.ts';

const dir = mkdtempSync(join(tmpdir(), 'incipit-content-'));
openDatabases(dir, 100).close();
const file = join(dir, 'content.db');
const db = new Database(file);
db.exec(`
  INSERT INTO pages (id, root_id, slug, path, sort, title, published, catch_all, domains, created_at, updated_at)
  VALUES (1, 1, '', '/', 0, 'Home', 1, 0, 'one.test', 10, 11);
  INSERT INTO pages (id, parent_id, root_id, slug, path, sort, title, published, catch_all, created_at, updated_at)
  VALUES (2, 1, 1, 'b', '/b', 1, 'B', 1, 1, 1, 1), (3, 1, 1, 'a', '/a', 0, 'A', 0, 1, 1, 1);
  INSERT INTO snippets (id, name, content, created_at, updated_at) VALUES (1, 'x', 'text', 1, 1);
`);
const reader = openSqliteContent(file);

afterAll(() => {
  reader.close();
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

function rename(title: string): void {
  db.prepare('UPDATE pages SET title = ? WHERE id = 1').run(title);
}

describe('the SQLite content reader', () => {
  it('reads pages with typed fields', () => {
    expect(reader.page(1)).toMatchObject({
      id: 1,
      parent_id: null,
      published: true,
      catch_all: false,
      domains: 'one.test',
      html: '',
      created_at: 10,
    });
    expect(reader.pageFields(1)).not.toHaveProperty('html');
    expect([reader.page(9), reader.pageByPath(1, '/c'), reader.snippet('y'), reader.asset(1)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('lists pages in tree order, and catch-all pages with their state', () => {
    expect([...reader.listed(1, 0, 0, 10)].map(({ path }) => path)).toEqual(['/', '/b']);
    expect([...reader.listed(1, 0, 1, 1)].map(({ path }) => path)).toEqual(['/b']);
    expect([reader.countListed(1, 0), reader.countListed(1, 2)]).toEqual([2, 1]);
    expect([...reader.catchAllPages(1)].sort((left, right) => left.id - right.id)).toEqual([
      { id: 2, path: '/b', published: true },
      { id: 3, path: '/a', published: false },
    ]);
  });

  it('shows the same state during a snapshot', async () => {
    await reader.snapshot(async () => {
      expect(reader.page(1)?.title).toBe('Home');
      rename('Changed');
      await Promise.resolve();
      expect(reader.page(1)?.title).toBe('Home');
    });
    expect(reader.page(1)?.title).toBe('Changed');
  });

  it('numbers snapshots by the newest change, and tells the changes since', async () => {
    const first = await newest();
    expect(await newest()).toBe(first);
    rename('Again');
    expect(await newest()).toBe(first + 1);
    expect(reader.changesSince(first)).toMatchObject([{ seq: first + 1, kind: 'page', id: 1, parts: 1 + 2 }]);
    expect(reader.changesSince(first + 1)).toEqual([]);
  });

  it('tells no changes if older ones are deleted', async () => {
    const first = await newest();
    for (const title of ['One', 'Two', 'Three']) rename(title);
    db.prepare('DELETE FROM changes WHERE seq <= ?').run(first + 2);
    expect(reader.changesSince(first)).toBeUndefined();
    expect(reader.changesSince(first + 2)).toHaveLength(1);
  });

  it('ends a snapshot whose work fails', async () => {
    await expect(reader.snapshot(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await reader.snapshot(() => 'next')).toBe('next');
  });

  it('creates no file for a missing database', () => {
    expect(() => openSqliteContent(join(dir, 'missing.db'))).toThrow();
  });
});

/** Number of the newest change. */
const newest = () => reader.snapshot((seq) => seq);

/** The parts that the log tells of a change of one column of a page. */
function partsOf(column: string): number {
  db.exec('BEGIN');
  try {
    const changed = `CASE typeof(${column}) WHEN 'text' THEN ${column} || 'x' ELSE ${column} + 1 END`;
    db.exec(`UPDATE pages SET ${column} = ${changed} WHERE id = 2`);
    return Number(db.prepare('SELECT parts FROM changes ORDER BY seq DESC LIMIT 1').pluck().get());
  } finally {
    db.exec('ROLLBACK');
  }
}

describe('the change log', () => {
  const fieldsOf = (page: object | undefined) => Object.keys(page ?? {}).filter((name) => name !== 'id');

  it.each(fieldsOf(reader.basics(1)))('counts %s among the basics of a page', (column) => {
    expect(partsOf(column) & pageParts.basics).toBe(pageParts.basics);
  });

  it.each(fieldsOf(reader.childrenOf(1, 'all')[0]))('counts %s among what lists show', (column) => {
    expect(partsOf(column) & pageParts.listing).toBe(pageParts.listing);
  });

  it.each(['html', 'head', 'updated_at', 'description'])('counts %s among neither', (column) => {
    expect(partsOf(column)).toBe(0);
  });
});

describe('the memo of a worker', () => {
  it('answers from memory until it follows the changes', async () => {
    const memo = new ContentCache(reader);
    rename('Before');
    const seq = await newest();
    expect(memo.pageFields(1)?.title).toBe('Before');
    const children = memo.childrenOf(1, 'all');
    rename('After');
    expect(memo.pageFields(1)?.title).toBe('Before');
    memo.applyChanges(reader.changesSince(seq) ?? []);
    expect(memo.pageFields(1)?.title).toBe('After');
    expect(memo.childrenOf(1, 'all')).toBe(children);
    db.exec("UPDATE pages SET title = 'New' WHERE id = 2");
    memo.applyChanges(reader.changesSince(seq) ?? []);
    expect(memo.childrenOf(1, 'all').map(({ title }) => title)).toEqual(['A', 'New']);
  });

  it('forgets everything after a change of unknown extent', () => {
    const memo = new ContentCache(reader);
    const before = memo.childrenOf(1, 'all');
    memo.applyChanges([createFullInvalidation(1)]);
    expect(memo.childrenOf(1, 'all')).not.toBe(before);
  });

  it('knows the domains of all websites', () => {
    const memo = new ContentCache(reader);
    expect(memo.siteTable()).toEqual({
      byDomain: new Map([['one.test', 1]]),
      fallback: { id: 1, domain: 'one.test' },
    });
  });
});
