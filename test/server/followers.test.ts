import { describe, expect, it } from 'vitest';
import {
  createFullInvalidation,
  type LoggedChange,
  type LoggedKind,
} from '../../runtime/content/change-log.ts';
import { ContentVersion } from '../../server/changes/content-version.ts';
import {
  type Committed,
  Followed,
  type Follower,
  Followers,
  FollowersBehind,
} from '../../server/changes/followers.ts';
import { recordingLog } from '../support/quiet-log.ts';

/** Tests of the rules at the head of server/changes/followers.ts. */

const version = new ContentVersion();

function changeOf(kind: LoggedKind): LoggedChange {
  return { ...createFullInvalidation(version.current() + 1), kind };
}

function commitOf(kinds: readonly LoggedKind[], tables: Committed['tables'] = new Set()): Committed {
  return { changes: kinds.map(changeOf), tables, isOwn: true };
}

/** Followers that note when they are called. */
function noting(...lists: readonly Follower['of'][]) {
  const log = recordingLog();
  const called: string[] = [];
  const followers = new Followers(version, log);
  for (const of of lists)
    followers.add({
      of,
      refresh: () => void called.push(`refresh ${of} at ${version.current()}`),
      react: (commits) => void called.push(`react ${of} to ${commits.length}`),
    });
  return { followers, called, log };
}

describe('a commit', () => {
  it('refreshes what follows its kinds or tables, content first, when the version has moved', async () => {
    const { followers, called } = noting(['page', 'settings'], ['settings'], 'content', ['tokens', 'asset']);
    const next = version.current() + 1;
    await followers.refresh(commitOf(['page'], new Set(['tokens', 'pages'])));
    expect(called).toEqual([
      `refresh content at ${next}`,
      `refresh page,settings at ${next}`,
      `refresh tokens,asset at ${next}`,
    ]);
  });

  it('of no content leaves the version and the followers of content alone', async () => {
    const { followers, called } = noting('content', ['settings'], ['page']);
    const before = version.current();
    await followers.refresh(commitOf([], new Set(['settings'])));
    expect(called).toEqual([`refresh settings at ${before}`]);
  });

  it('of everything, or of unknown tables, refreshes all', async () => {
    const { followers, called } = noting(['settings'], ['page']);
    await followers.refresh(commitOf(['all']));
    expect(called).toHaveLength(2);
    await followers.refresh(commitOf([], 'all'));
    expect(called).toHaveLength(4);
  });

  it('of a home page refreshes what follows websites, that of another page does not', async () => {
    const { followers, called } = noting(['site']);
    const page = changeOf('page');
    const place = (root_id: number | null) => ({ ...page.now, root_id });
    const places = [
      { id: 7, before: place(7), now: place(7) },
      { id: 7, before: place(7), now: place(null) },
      { id: 8, before: place(7), now: place(7) },
      { id: 8, before: place(7), now: place(null) },
    ];
    for (const place of places)
      await followers.refresh({ ...commitOf([]), changes: [{ ...changeOf('page'), ...place }] });
    expect(called).toHaveLength(2);
  });

  it('that nothing follows has nothing to wait for', () => {
    const { followers } = noting('content', ['settings']);
    expect(followers.refresh(commitOf(['page'], new Set(['pages'])))).toBeUndefined();
  });

  it('lets the same followers react in their order, also to an event without changes', () => {
    const { followers, called } = noting(['page'], ['item'], 'content', ['page', 'item']);
    const told = { actor: { kind: 'master' }, records: [], announcements: [] } as const;
    followers.react(commitOf(['page']), [told, told]);
    expect(called).toEqual(['react content to 2', 'react page to 2', 'react page,item to 2']);
    called.length = 0;
    followers.react(commitOf([]), [told]);
    expect(called).toEqual(['react content to 1']);
  });

  it('waits for one follower after the other', async () => {
    const { followers, called } = noting();
    followers.add(
      {
        of: ['settings'],
        async refresh() {
          await new Promise((resolve) => setTimeout(resolve, 10));
          called.push('first');
        },
      },
      { of: ['settings'], refresh: () => void called.push('second') },
    );
    await followers.refresh(commitOf([], new Set(['settings'])));
    expect(called).toEqual(['first', 'second']);
  });

  it('is followed by the others when one fails, which is logged and thrown', async () => {
    const { followers, called, log } = noting();
    const fail = () => {
      throw new Error('follower');
    };
    followers.add(
      { of: 'content', refresh: fail, react: fail },
      { of: ['page'], refresh: async () => fail(), react: fail },
      { of: ['page'], refresh: () => void called.push('refresh'), react: () => void called.push('react') },
    );
    const commit = commitOf(['page']);
    await expect(followers.refresh(commit)).rejects.toThrow(FollowersBehind);
    followers.react(commit, []);
    expect(called).toEqual(['refresh', 'react']);
    expect(log.messages).toEqual([
      'what a committed change touches could not be read again',
      // The follower of all content is visited again before the commit counts as known.
      'what a committed change touches could not be read again',
      'what a committed change touches could not be read again',
      'a reaction to a committed change failed',
      'a reaction to a committed change failed',
    ]);
  });

  it('stays owed to a follower that has failed until it has all of it', async () => {
    const { followers } = noting();
    let failures = 2;
    const seen: unknown[] = [];
    followers.add({
      of: ['tokens', 'page'],
      refresh({ changes, tables }) {
        if (failures-- > 0) throw new Error('not now');
        seen.push(
          changes.map(({ kind }) => kind),
          tables,
        );
      },
    });
    await expect(followers.refresh(commitOf([], new Set(['tokens'])))).rejects.toThrow(FollowersBehind);
    await expect(followers.refresh(commitOf(['page']))).rejects.toThrow(FollowersBehind);
    await followers.refresh(commitOf([], new Set(['settings'])));
    expect(seen).toEqual([['page'], new Set(['tokens', 'settings'])]);
    expect(followers.refresh(commitOf([], new Set(['settings'])))).toBeUndefined();
  });
});

describe('a followed value', () => {
  it('is read once until its tables change, and is there at once', async () => {
    let reads = 0;
    const followed = new Followed(['settings'], async () => ++reads);
    expect(await Promise.all([followed.get(), followed.get()])).toEqual([1, 1]);
    expect(followed.get()).toBe(1);
    followed.refresh();
    expect(await followed.get()).toBe(2);
  });

  it('is not kept if it was read before a change', async () => {
    const finish: ((value: string) => void)[] = [];
    const followed = new Followed(['settings'], () => new Promise<string>((resolve) => finish.push(resolve)));
    const before = followed.get();
    followed.refresh();
    const after = followed.get();
    finish[1]?.('new');
    expect(await after).toBe('new');
    finish[0]?.('old');
    expect(await before).toBe('old');
    expect(followed.get()).toBe('new');
  });

  it('that could not be read is tried again', async () => {
    let reads = 0;
    const followed = new Followed(['settings'], async () => {
      reads += 1;
      if (reads === 1) throw new Error('unreadable');
      return reads;
    });
    await expect(followed.get()).rejects.toThrow('unreadable');
    expect(await followed.get()).toBe(2);
  });
});
