import { beforeEach, describe, expect, it } from 'vitest';
import { Lockout } from '../../../server/features/auth/lockout.ts';

const minute = 60_000;
let now: number;
let lockout: Lockout;
const wrong = async () => undefined;
const right = async () => 'user';
const tooMany = (seconds: number) => ({
  code: 'auth.tooManyAttempts',
  params: { retry_after: seconds },
  headers: [['Retry-After', String(seconds)]],
});

beforeEach(() => {
  now = 5_000_000;
  lockout = new Lockout({ monotonic: () => now });
});

async function failTimes(count: number, key = 'a'): Promise<void> {
  for (let index = 0; index < count; index++) await lockout.attempt(key, wrong);
}

describe('after ten failures', () => {
  it('every attempt is refused without a check until 15 minutes after the tenth', async () => {
    await failTimes(9);
    now += minute;
    await failTimes(1);
    let checked = false;
    const check = async () => {
      checked = true;
      return 'user';
    };
    await expect(lockout.attempt('a', check)).rejects.toMatchObject(tooMany(900));
    now += 15 * minute - 1;
    await expect(lockout.attempt('a', check)).rejects.toMatchObject(tooMany(1));
    expect(checked).toBe(false);
    now += 1;
    expect(await lockout.attempt('a', check)).toBe('user');
  });

  it('and 15 minutes, the count starts again at zero', async () => {
    await failTimes(10);
    now += 15 * minute;
    await failTimes(10);
    await expect(lockout.attempt('a', right)).rejects.toMatchObject(tooMany(900));
  });

  it('refused attempts do not extend the 15 minutes', async () => {
    await failTimes(10);
    now += 14 * minute;
    await expect(lockout.attempt('a', wrong)).rejects.toMatchObject(tooMany(60));
    now += minute;
    expect(await lockout.attempt('a', right)).toBe('user');
  });

  it('other clients are not refused', async () => {
    await failTimes(10);
    expect(await lockout.attempt('b', right)).toBe('user');
  });
});

it('a success before the tenth failure resets the count', async () => {
  await failTimes(9);
  await lockout.attempt('a', right);
  await failTimes(9);
  expect(await lockout.attempt('a', right)).toBe('user');
});

it('failures are forgotten 15 minutes after the last', async () => {
  await failTimes(9);
  now += 15 * minute;
  await failTimes(9);
  expect(await lockout.attempt('a', right)).toBe('user');
});

describe('attempts at the same time', () => {
  it('are at most ten, also before their results are known', async () => {
    const checks: ((result: string | undefined) => void)[] = [];
    const pending = () => new Promise<string | undefined>((resolve) => checks.push(resolve));
    const attempts = Array.from({ length: 100 }, () => lockout.attempt('a', pending));
    const settled = Promise.allSettled(attempts);
    expect(checks).toHaveLength(10);
    for (const resolve of checks) resolve(undefined);
    expect((await settled).filter(({ status }) => status === 'rejected')).toHaveLength(90);
    await expect(lockout.attempt('a', right)).rejects.toMatchObject(tooMany(900));
  });

  it('that fail with an error do not count as failed logins', async () => {
    const broken = () => Promise.reject(new Error('busy'));
    for (let index = 0; index < 20; index++)
      await expect(lockout.attempt('a', broken)).rejects.toThrow('busy');
    expect(await lockout.attempt('a', right)).toBe('user');
  });
});

it('remembers a limited number of clients, the most recent ones', async () => {
  lockout = new Lockout({ monotonic: () => now, maxClients: 3 });
  await failTimes(10, 'old');
  for (const key of ['a', 'b', 'c']) await failTimes(10, key);
  expect(await lockout.attempt('old', right)).toBe('user');
  await expect(lockout.attempt('c', right)).rejects.toMatchObject(tooMany(900));
});
