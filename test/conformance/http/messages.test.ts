import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOk } from '../../support/api.ts';
import { createSite } from '../../support/content.ts';
import type { AnswerPattern } from '../../support/http-answers.ts';
import { withPossibleFronts } from '../../support/possible-fronts.ts';
import { sendRaw } from '../../support/raw.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { Barrier } from './barrier.ts';
import type { HttpCase } from './case.ts';
import { caseGroups } from './cases/index.ts';
import { slowCases } from './cases/slow.ts';
import { checkCase } from './check-case.ts';
import { checkEveryByte, checkEveryCut, checkHalfClosed } from './fragments.ts';
import { hidingMessages } from './hiding-messages.ts';
import { withLine } from './messages.ts';
import { sendHiding } from './send-hiding.ts';
import { hiddenFromUws, takenInPiecesByUws, uwsExceptions } from './uws-exceptions.ts';

/** The rules of HTTP/1.1 as a table, on each front. */

const fronts = [
  ['node', '1'],
  ['uws', '1'],
  ['uws', '2'],
] as const;

const cutNames: readonly string[] = [
  'GET',
  'HEAD has the length of GET and no body',
  'Connection: "close"',
  'a host with an IPv6 address',
  'a body with its length',
  'one chunk',
  'a chunk for every byte',
  'Expect: 100-continue with its body',
  'a request after one with a body',
  'three requests at once',
  'two hosts',
  'two different lengths',
  'a length and chunks',
  'the coding "gzip, chunked"',
  'the version HTTP/1.0',
];
const cutCases = caseGroups.flatMap(([, cases]) => cases).filter(({ name }) => cutNames.includes(name));

const exceptionOf = new Map(uwsExceptions.flatMap((one) => one.cases.map((name) => [name, one] as const)));

describe.each(withPossibleFronts(fronts))('-front %s -front-threads %s', (front, threads) => {
  let server: TestServer;
  let barrier: Barrier;

  beforeAll(async () => {
    // Requests that come byte by byte take their time.
    const times = front === 'node' ? ['-header-timeout', '60', '-keep-alive', '60'] : [];
    server = await startServer({
      args: ['-front', front, '-front-threads', threads, '-body-timeout', '60', ...times],
    });
    barrier = new Barrier(server.port, Number(threads));
    const site = await createSite(server, { domains: 'a' });
    await callOk(server, 'PUT', `/pages/${site}`, { html: '<p>At hand' });
    // Every thread has the page at hand when it has got it once.
    for (let count = 0; count < 8; count++)
      await sendRaw(server.port, withLine(`${count % 2 ? 'HEAD' : 'GET'} / HTTP/1.1`, 'Connection: close'));
  });
  afterAll(async () => {
    barrier.close();
    await server.stop();
  });

  describe.each(caseGroups)('%s', (_name, cases) => {
    it.each(cases.map((one) => [one.name, one] as const))('%s', async (_case, one) => {
      await checkCase(server.port, barrier, adaptTo(front, one));
    });
  });

  describe('a request is the same wherever it is cut', () => {
    it.each(cutCases.map((one) => [one.name, one] as const))('%s', async (_case, one) => {
      const permitted = front === 'uws' ? permittedCut : () => undefined;
      await checkEveryCut(server.port, barrier, adaptTo(front, one), permitted);
    });

    it('each of the table at every byte at once', async () => {
      const known = caseGroups
        .flatMap(([, cases]) => cases)
        .filter(({ send, body }) => send.length < maxBytes && body === undefined);
      const cases = front === 'uws' ? known.filter((one) => !isOtherInPieces(one)) : known;
      const start = (send: string): number => (front === 'uws' ? startOfHeaders(send) : 0);
      await checkEveryByte(server.port, barrier, cases, start);
    });
  });

  it.runIf(front === 'node')('a client that ends its side gets the same answers', async () => {
    const cases = caseGroups.flatMap(([, ofGroup]) => ofGroup).filter(({ body }) => body === undefined);
    await checkHalfClosed(server.port, cases);
  });

  it.each([
    ['in one packet', false],
    ['with bodies in packets of their own', true],
  ])('a request within a body is not answered: %s', async (_name, isCut) => {
    const { answered, silent } = await sendHiding(server.port, barrier, hidingMessages, isCut);
    // One thread has the answer at hand, another may not.
    expect(answered.filter((name) => front === 'node' || !hiddenFromUws.includes(name))).toEqual([]);
    if (front === 'node') expect(silent).toEqual([]);
  });
});

/** Longer requests are not sent byte by byte. */
const maxBytes = 500;

/** The case as this front has it. */
function adaptTo(front: 'uws' | 'node', one: HttpCase): HttpCase {
  return front === 'uws' ? { ...one, ...exceptionOf.get(one.name) } : one;
}

/** Whether uWebSockets.js has exceptions for the case, or a first line of it would come in pieces. */
function isOtherInPieces({ name, answers }: HttpCase): boolean {
  return exceptionOf.has(name) || takenInPiecesByUws.includes(name) || answers.length > 1;
}

/** uWebSockets.js needs the first line in one piece. */
function startOfHeaders(send: string): number {
  return send.indexOf('\r\n') + 2;
}

/** Also what it has answered before may be lost then. */
function permittedCut(send: string, offset: number): AnswerPattern | undefined {
  const line = send.slice(send.lastIndexOf('\n', offset - 1) + 1).split('\n', 1)[0] ?? '';
  return / HTTP\/\d\.\d\r$/.test(line) ? { status: [505] } : undefined;
}

describe('the table', () => {
  const names = [...caseGroups.flatMap(([, cases]) => cases), ...slowCases].map(({ name }) => name);

  it('has each case once', () => {
    for (const all of [names, hidingMessages.map(({ name }) => name)])
      expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
  });

  it('has exceptions of uWebSockets.js that the manual states, each for cases that there are', () => {
    const manual = readFileSync(new URL('../../../server/docs/options.md', import.meta.url), 'utf8');
    const rows = manual.split('\n').filter((line) => line.startsWith('| '));
    for (const { row, cases } of uwsExceptions) {
      expect(
        rows.some((line) => line.startsWith(`| ${row}`)),
        row,
      ).toBe(true);
      expect(cases.filter((name) => !names.includes(name))).toEqual([]);
    }
  });
});
