import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RobotsTask } from '../../runtime/tasks/messages/delivery.ts';
import type { Log } from '../../server/base/log.ts';
import { type AskOutside, Pool, PoolBusyError, type WorkerKind } from '../../server/processes/pool.ts';
import { WorkerLostError } from '../../server/processes/pool-worker.ts';
import { hoardNames } from '../support/hoard.ts';

const filename = fileURLToPath(new URL('./delivery/fixtures/worker.mjs', import.meta.url));
const silent: Log = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };

let pool: Pool;
let workerKind: WorkerKind = 'process';

afterEach(() => pool.close());

interface Options {
  readonly filename?: string;
  readonly workers?: number;
  readonly timeoutMs?: number;
  readonly queueLimit?: number;
  readonly idleMs?: number;
  readonly sendsAhead?: boolean;
  readonly jobName?: string;
  readonly askOutside?: AskOutside;
}

function start(options: Options = {}): void {
  pool = new Pool({
    filename,
    workerKind,
    settings: null,
    workers: 1,
    maxMemoryMb: 160,
    log: silent,
    ...options,
  });
}

/** A task for the worker fixture, whose behaviour depends on the host. */
function task(host: string): RobotsTask {
  return { kind: 'robots', host, scheme: 'http' };
}

describe.each(['process', 'thread'] as const)('a pool of workers, each in a %s', (name) => {
  beforeAll(() => {
    workerKind = name;
  });

  it('answers jobs in their order', async () => {
    start();
    const answers = await Promise.all(['a', 'b', 'c'].map((host) => pool.run(task(host))));
    expect(answers).toEqual([{ answered: 'a' }, { answered: 'b' }, { answered: 'c' }]);
  });

  it('rejects with the error of a task and runs the next one', async () => {
    start();
    await expect(pool.run(task('throw'))).rejects.toThrow('the task failed');
    expect(await pool.run(task('a'))).toEqual({ answered: 'a' });
  });

  it.each(name === 'process' ? ['exit', 'crash', 'abort'] : ['exit', 'crash'])(
    'replaces a worker that dies (%s); only its own job fails',
    async (how) => {
      start();
      await pool.run(task('a'));
      const lost = pool.run(task(how));
      const next = pool.run(task('b'));
      await expect(lost).rejects.toThrow();
      expect(await next).toEqual({ answered: 'b' });
    },
  );

  // What ends a thread from inside one native call ends the whole process.
  it.each(name === 'process' ? hoardNames : ['objects'])(
    'ends a worker that allocates without end (%s) and names the limit',
    async (how) => {
      start();
      const lost = pool.run(task(how));
      const next = pool.run(task('b'));
      await expect(lost).rejects.toThrow(WorkerLostError);
      await expect(lost).rejects.toThrow('needed more than 160 MB of memory');
      expect(await next).toEqual({ answered: 'b' });
    },
  );

  it('with idleMs starts processes by need and ends those without work', async () => {
    start({ workers: 2, idleMs: 20 });
    expect(pool.size).toBe(0);
    expect(await pool.run(task('a'))).toEqual({ answered: 'a' });
    expect(pool.size).toBe(1);
    await expect.poll(() => pool.size).toBe(0);
    expect(await Promise.all([pool.run(task('b')), pool.run(task('c'))])).toHaveLength(2);
    const lost = pool.run(task('exit'));
    await expect(lost).rejects.toThrow(WorkerLostError);
    expect(await pool.run(task('d'))).toEqual({ answered: 'd' });
  });

  it.each([undefined, 1000])('gives the jobs of a lane to the same process (idleMs: %s)', async (idleMs) => {
    start({ workers: 3, ...(idleMs === undefined ? {} : { idleMs }) });
    const lanes = [0, 1, 2, 2, 0, 1, 1, 2, 0];
    const run = (lane: number) => pool.run(task('worker'), lane);
    const first = await Promise.all(lanes.map(run));
    expect(new Set(first.map((answer) => JSON.stringify(answer))).size).toBe(3);
    for (const lane of [2, 0, 1]) expect([await run(lane)]).toEqual([first[lane]]);
    // All jobs of one lane: the other processes help.
    const all = await Promise.all(Array.from({ length: 9 }, () => run(1)));
    expect(new Set(all.map((answer) => JSON.stringify(answer))).size).toBe(3);
  });

  it('runs a task again with the answers that it asks for', async () => {
    const askOutside: AskOutside = async (request) => {
      if (!('slug' in request)) throw new Error('another request than that of the fixture');
      return { ...request, expiresAt: 0 };
    };
    start({ askOutside });
    expect(await pool.run(task('asks twice'))).toEqual({
      answered: [
        { slug: 'source-0', params: {}, expiresAt: 0 },
        { slug: 'source-1', params: {}, expiresAt: 0 },
      ],
    });
  });

  it('counts its tasks by how they ended', async () => {
    start({ queueLimit: 1 });
    const tasks = ['a', 'throw', 'b'].map((host) => pool.run(task(host)));
    expect(pool.unfinished).toBe(3);
    await Promise.allSettled(tasks);
    await expect(pool.run(task('exit'))).rejects.toThrow(WorkerLostError);
    expect(pool.unfinished).toBe(0);
    expect(pool.figures()).toEqual([
      { task: 'robots', ended: { done: 1, failed: 1, refused: 1, lost: 1 }, seconds: expect.any(Number) },
    ]);
  });

  it('names its work in messages', async () => {
    start({ jobName: 'the work on an image' });
    await expect(pool.run(task('exit'))).rejects.toThrow(
      `the ${name} of the work on an image died (exit code 3)`,
    );
  });

  it('gives processes no secrets of the server', async () => {
    process.env['IC_MASTER_TOKEN'] = 'secret';
    start();
    expect(await pool.run(task('environment'))).toEqual({ answered: 'no secrets' });
  });

  it('starts processes that cannot load only for jobs, not without end', async () => {
    start({ filename: fileURLToPath(new URL('./delivery/fixtures/nothing.mjs', import.meta.url)) });
    const jobs = await Promise.allSettled(['a', 'b', 'c'].map((host) => pool.run(task(host))));
    expect(jobs.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('ends the worker of a job that takes too long', async () => {
    start({ timeoutMs: 2_000 });
    await pool.run(task('a'));
    const slow = pool.run(task('spin'));
    await expect(slow).rejects.toThrow(WorkerLostError);
    await expect(slow).rejects.toThrow('2000 ms');
    expect(await pool.run(task('b'))).toEqual({ answered: 'b' });
  });

  it('survives the death of all workers at once', async () => {
    start({ workers: 2 });
    const lost = await Promise.allSettled([pool.run(task('exit')), pool.run(task('exit'))]);
    expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await pool.run(task('b'))).toEqual({ answered: 'b' });
  });

  describe('that sends jobs ahead', () => {
    /** Jobs are sent ahead as soon as the last ones were short. */
    async function startWarm(options: Options = {}): Promise<void> {
      start({ sendsAhead: true, ...options });
      for (let count = 0; count < 60; count++) await pool.run(task('a'));
    }

    it('answers them in their order', async () => {
      await startWarm({ queueLimit: 2 });
      const order: string[] = [];
      const hosts = ['a', 'throw', 'b', 'c'];
      await Promise.allSettled(hosts.map((host) => pool.run(task(host)).finally(() => order.push(host))));
      expect(order).toEqual(hosts);
      expect(pool.hasQueue).toBe(false);
    });

    it('starts the time of a job when it runs', async () => {
      await startWarm({ timeoutMs: 1_000 });
      const jobs = ['wait 600', 'wait 600', 'wait 600'].map((host) => pool.run(task(host)));
      expect(await Promise.all(jobs)).toHaveLength(3);
    });

    it.each(['exit', 'crash'])(
      'gives the job behind one that ends its process (%s) to another',
      async (how) => {
        await startWarm();
        await pool.run(task('a'));
        const jobs = [how, 'b', 'c'].map((host) => pool.run(task(host)));
        await expect(jobs[0]).rejects.toThrow(WorkerLostError);
        expect(await Promise.all(jobs.slice(1))).toEqual([{ answered: 'b' }, { answered: 'c' }]);
      },
    );

    it('takes a job over from a process that does not come to it', async () => {
      await startWarm({ workers: 2, timeoutMs: 3_000 });
      await Promise.all([pool.run(task('a')), pool.run(task('b'))]);
      const slow = pool.run(task('spin'));
      const others = Array.from({ length: 40 }, (_, index) => pool.run(task(String(index))));
      expect(await Promise.all(others)).toHaveLength(40);
      // All of them were done while the first one still ran.
      expect(pool.unfinished).toBe(1);
      await expect(slow).rejects.toThrow('3000 ms');
      expect(await pool.run(task('c'))).toEqual({ answered: 'c' });
    });

    it('sends none ahead while jobs take long, so that none is done twice', async () => {
      await startWarm({ workers: 2 });
      for (let count = 0; count < 4; count++) await pool.run(task('wait 100'));
      const done = Promise.all(Array.from({ length: 6 }, () => pool.run(task('wait 60'))));
      await done;
      const counts = await Promise.all([
        pool.run(task('number of waits'), 0),
        pool.run(task('number of waits'), 1),
      ]);
      const sum = counts.reduce((total, answer) => total + Number(Reflect.get(answer, 'answered')), 0);
      expect(sum).toBe(10);
    });

    it('rejects all jobs when it is closed', async () => {
      await startWarm();
      const jobs = Promise.allSettled(['spin', 'a', 'b'].map((host) => pool.run(task(host))));
      await pool.close();
      expect((await jobs).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    });
  });

  it('refuses a job when too many others wait', async () => {
    start({ queueLimit: 2 });
    const accepted = ['a', 'b', 'c'].map((host) => pool.run(task(host)));
    await expect(pool.run(task('d'))).rejects.toThrow(PoolBusyError);
    expect(await Promise.all(accepted)).toHaveLength(3);
    expect(await pool.run(task('e'))).toEqual({ answered: 'e' });
  });

  it('rejects running and waiting jobs when it is closed', async () => {
    start();
    const jobs = Promise.allSettled([pool.run(task('spin')), pool.run(task('a'))]);
    await pool.close();
    expect((await jobs).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(pool.run(task('b'))).rejects.toThrow(WorkerLostError);
  });
});
