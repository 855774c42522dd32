import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { BodyTimes } from '../../../server/http/exchange/api-call.ts';
import { openTransport } from '../../../server/http/exchange/open-transport.ts';
import { startFront } from '../../support/front.ts';
import { recordingLog } from '../../support/quiet-log.ts';
import { requestHead, sendRaw } from '../../support/raw.ts';

const threadFile = '';
const missing = () => Promise.reject(new Error('no binary'));

describe('the transport', () => {
  const localPeer = '127.0.0.1';

  it('is uWebSockets.js where its binary loads and only this machine can connect', async () => {
    const log = recordingLog();
    expect((await openTransport({ choice: 'auto', log, threadFile, localPeer })).name).toBe('uws');
    expect(log.messages).toEqual([]);
  });

  it('is the one of Node.js where others can connect, unless uWebSockets.js is asked for', async () => {
    const log = recordingLog();
    expect((await openTransport({ choice: 'auto', log, threadFile })).name).toBe('node');
    expect((await openTransport({ choice: 'uws', log, threadFile })).name).toBe('uws');
    expect(log.messages).toEqual([]);
  });

  it('is the one of Node.js where the binary does not load, and the log says so', async () => {
    const log = recordingLog();
    const options = { choice: 'auto', log, threadFile, localPeer, load: missing } as const;
    expect((await openTransport(options)).name).toBe('node');
    expect(log.messages).toEqual([expect.stringContaining('using -front node')]);
  });

  it('is never another than the one that was asked for', async () => {
    const log = recordingLog();
    await expect(openTransport({ choice: 'uws', log, threadFile, load: missing })).rejects.toThrow(
      'use -front node',
    );
    expect((await openTransport({ choice: 'node', log, threadFile, load: missing })).name).toBe('node');
  });

  it('is never the one of Node.js with several threads', async () => {
    for (const choice of ['auto', 'node'] as const) {
      const opened = openTransport({ choice, log: recordingLog(), threadFile, load: missing, threads: 2 });
      await expect(opened).rejects.toThrow('-front-threads 2 needs -front uws');
    }
  });

  it.each([{ keepAliveSeconds: 5 }, { headerSeconds: 5 }])(
    'takes no times that it cannot keep: %j',
    async (times) => {
      const uws = openTransport({ choice: 'uws', log: recordingLog(), threadFile, ...times });
      await expect(uws).rejects.toThrow('need -front node');
      for (const choice of ['node', 'auto'] as const) {
        const opened = await openTransport({ choice, log: recordingLog(), threadFile, localPeer, ...times });
        expect(opened.name).toBe('node');
      }
    },
  );
});

describe('the times of -front node', () => {
  it('end a head that never ends with 408, and a silent connection', async () => {
    const { front, port } = await startFront({
      choice: 'node',
      keepAliveSeconds: 1,
      headerSeconds: 1,
      delivery: () => ({ status: '200 OK', headers: [], body: 'answered' }),
    });
    const slow = sendRaw(port, 'GET / HTTP/1.1\r\nHost: a\r\n');
    const silent = connect(port, '127.0.0.1');
    silent.write(requestHead('GET / HTTP/1.1', 'Host: a'));
    silent.resume();
    await once(silent, 'close');
    expect(await slow).toMatch(/^HTTP\/1\.1 408 /);
    await front.close(0);
  });
});

describe('the time of a body', () => {
  it('is bounded, grows with its bytes, and stands still while the client is held back', () => {
    vi.useFakeTimers();
    try {
      const expired = vi.fn();
      const time = new BodyTimes(20).start({ close: expired });
      time.arrived(5000);
      vi.advanceTimersByTime(29_000);
      expect(expired).not.toHaveBeenCalled();
      time.pause();
      vi.advanceTimersByTime(60_000);
      time.resume();
      vi.advanceTimersByTime(500);
      expect(expired).not.toHaveBeenCalled();
      vi.advanceTimersByTime(3000);
      expect(expired).toHaveBeenCalledOnce();
      vi.advanceTimersByTime(60_000);
      expect(expired).toHaveBeenCalledOnce();
    } finally {
      vi.useRealTimers();
    }
  });
});
