import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../server/app.ts';
import { nextUpdatedAt } from '../../server/base/clock.ts';
import { apiError, conflict, invalid } from '../../server/base/errors.ts';
import { compareIgnoringCase } from '../../server/base/text.ts';
import { type CheckedText, TextAnalysis } from '../../server/changes/text-analysis.ts';
import { readConfig } from '../../server/config/config.ts';
import { normalizeDomains } from '../../server/content/sites/domains.ts';
import { readOnBehalfOf } from '../../server/features/auth/on-behalf.ts';
import { hashToken, sameHash } from '../../server/features/auth/service.ts';
import { generateToken } from '../../server/features/auth/tokens.ts';
import { normalizeLang } from '../../server/features/pages/rules.ts';
import { endpoints } from '../support/endpoints.ts';
import { appFiles } from '../support/entry-files.ts';
import { recordingLog } from '../support/quiet-log.ts';
import { makeTempDir } from '../support/server.ts';

describe('the error table', () => {
  it('creates the body of Core, "Errors"', () => {
    expect(invalid('title', 'must not be empty').toBody()).toEqual({
      error: 'title must not be empty',
      code: 'common.invalid',
      params: { field: 'title', reason: 'must not be empty' },
    });
    expect(apiError('common.notFound', {}).toBody()).toEqual({
      error: 'not found',
      code: 'common.notFound',
      params: {},
    });
    expect(conflict(7).toBody()).toMatchObject({ code: 'common.conflict', conflict: true, updated_at: 7 });
  });
});

describe('tokens', () => {
  it('begin with ic_, show ten characters and are stored as SHA-256', () => {
    const { secret, prefix, hash } = generateToken();
    expect(secret).toMatch(/^ic_[\w-]{43}$/);
    expect(prefix).toBe(secret.slice(0, 10));
    expect(hash).toBe(hashToken(secret));
    expect(hash).toMatch(/^[\da-f]{64}$/);
    expect(generateToken().secret).not.toBe(secret);
  });

  it('compare by their hashes, also of unequal length', () => {
    expect(sameHash(hashToken('a'), hashToken('a'))).toBe(true);
    expect(sameHash(hashToken('a'), hashToken('b'))).toBe(false);
    expect(sameHash(hashToken('a'), 'ab')).toBe(false);
  });
});

describe('X-IC-On-Behalf-Of', () => {
  it.each([
    ['Ada%20L%C3%B6we', 'Ada Löwe'],
    ['  Ada \t  Löwe ', 'Ada Löwe'],
    ['100%', '100%'],
    ['a%00b%1Fc', 'abc'],
    ['%20', undefined],
    ['', undefined],
  ])('%j is %j', (header, person) => {
    expect(readOnBehalfOf(header)).toBe(person);
  });

  it('counts code points', () => {
    expect(readOnBehalfOf('%F0%9F%92%A1'.repeat(100))).toBe('💡'.repeat(100));
    expect(() => readOnBehalfOf('x'.repeat(101))).toThrow(
      expect.objectContaining({ code: 'batch.onBehalfTooLong' }),
    );
  });
});

describe('updated_at', () => {
  it('grows by at least one second, at any state of the clock', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (now, previous) => {
        const next = nextUpdatedAt(now, previous);
        expect(next).toBeGreaterThan(previous);
        expect(next).toBeGreaterThanOrEqual(now);
      }),
    );
  });
});

describe('normalisation of domains and languages', () => {
  it('changes nothing the second time', () => {
    const label = fc.stringMatching(/^[a-zA-Z0-9äöü]([a-zA-Z0-9-]{0,10}[a-zA-Z0-9])?$/);
    const domain = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
    fc.assert(
      fc.property(fc.array(domain), (domains) => {
        let once: string[];
        try {
          once = normalizeDomains(domains.join('\n'));
        } catch (error) {
          expect(error).toMatchObject({ code: 'common.invalid' });
          return;
        }
        expect(normalizeDomains(once.join('\n'))).toEqual(once);
      }),
    );
  });

  it('throws only ApiErrors, in linear time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const normalize of [normalizeDomains, normalizeLang]) {
          try {
            normalize(text);
          } catch (error) {
            expect(error).toMatchObject({ name: 'ApiError' });
          }
        }
      }),
    );
    for (const hostile of [
      'a-'.repeat(50_000),
      'a'.repeat(100_000),
      '.'.repeat(100_000),
      ':'.repeat(100_000),
    ]) {
      expect(() => normalizeDomains(hostile)).toThrow();
    }
  });
});

describe('compareText', () => {
  it('is a total order by code point, first without case', () => {
    expect(['b', 'B', 'a', 'ä', 'A', '😀', '\uFFFD'].sort(compareIgnoringCase)).toEqual([
      'A',
      'a',
      'B',
      'b',
      'ä',
      '\uFFFD',
      '😀',
    ]);
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(Math.sign(compareIgnoringCase(a, b))).toBe(-Math.sign(compareIgnoringCase(b, a)) + 0);
      }),
    );
  });
});

describe('the analysis of texts', () => {
  const report = {
    warnings: [],
    rendersBlocks: true,
    slots: ['default'],
    references: [],
    regions: [],
    unsafe: [],
  };
  const nothing = { warnings: [], rendersBlocks: false, slots: [], references: [], regions: [], unsafe: [] };
  const textOf = (source: string): CheckedText => ({
    language: 'template',
    field: 'html',
    name: 'n',
    source,
  });
  /** An analysis that records the texts it asks for. */
  function analysisOf(template: () => Promise<typeof report>, log = recordingLog()) {
    const asked: string[] = [];
    const ask = async ({ source }: CheckedText) => {
      asked.push(source);
      return template();
    };
    const code = async ({ source }: CheckedText) => {
      asked.push(source);
      return [{ code: 'asset.syntax', error: 'n:1:1: x', params: {} } as const];
    };
    return {
      analysis: new TextAnalysis(
        { template: ask, code, function: async () => undefined, markup: async () => [] },
        log,
      ),
      asked,
    };
  }

  it('asks the pool once for each text with a tag or link, also for requests at the same time', async () => {
    const { analysis, asked } = analysisOf(async () => report);
    const sources = ['{{ a', '{% b', '{# c', '<a href="/x">'];
    for (let round = 0; round < 2; round++) {
      for (const text of sources.map(textOf)) {
        expect(await Promise.all([analysis.report(text), analysis.reportOfSaved(text)])).toEqual([
          report,
          report,
        ]);
      }
    }
    expect(analysis.report(textOf('plain { text'))).toEqual(nothing);
    expect(asked).toEqual(sources);
  });

  it('has a report at once when it was made before', async () => {
    const { analysis } = analysisOf(async () => report);
    const first = analysis.report(textOf('{{ a }}'));
    expect(first).toBeInstanceOf(Promise);
    await first;
    expect(analysis.report(textOf('{{ a }}'))).toEqual(report);
  });

  it('gives every warning its level', async () => {
    const { analysis } = analysisOf(async () => report);
    expect(await analysis.report({ ...textOf('if ('), language: 'js' })).toEqual({
      ...nothing,
      warnings: [{ code: 'asset.syntax', level: 'error', error: 'n:1:1: x', params: {} }],
    });
  });

  it('asks again after snippets or assets have changed', async () => {
    const { analysis, asked } = analysisOf(async () => report);
    const text = textOf('{% include "x" %}');
    await analysis.report(text);
    analysis.forget();
    await analysis.report(text);
    expect(asked).toHaveLength(2);
  });

  it('of a text gives nothing when its worker dies, logs the error and asks again', async () => {
    const log = recordingLog();
    const { analysis, asked } = analysisOf(() => Promise.reject(new Error('died')), log);
    expect(await analysis.reportOfSaved(textOf('{{'))).toEqual({ ...nothing, failed: true });
    expect(await analysis.reportForSave(textOf('{{'))).toEqual({ ...nothing, failed: true });
    expect({ asked: asked.length, logged: log.messages.length }).toEqual({ asked: 2, logged: 2 });
  });

  it('refuses a save when the pool is busy, and gives nothing for the answer to a save', async () => {
    const { analysis } = analysisOf(() => Promise.reject(apiError('common.busy', {})));
    await expect(analysis.reportForSave(textOf('{{'))).rejects.toMatchObject({ code: 'common.busy' });
    expect(await analysis.reportOfSaved(textOf('{{'))).toEqual({ ...nothing, failed: true });
  });

  it('of a template that is read fails when the pool fails', async () => {
    const { analysis } = analysisOf(() => Promise.reject(new Error('full')));
    await expect(analysis.report(textOf('{{'))).rejects.toThrow('full');
  });
});

describe('readConfig', () => {
  it('has the documented defaults', () => {
    expect(readConfig([], {})).toMatchObject({
      dataDir: './data',
      address: { host: '127.0.0.1', port: 8080 },
      cacheMb: 128,
      maxUploadMb: 256,
      avif: false,
      rateLimit: 120,
      secureCookies: false,
      headless: false,
      admin: 'asStored',
      adminHost: undefined,
      workers: expect.any(Number),
      command: undefined,
      force: false,
      demo: false,
      tls: undefined,
      logLevel: 'info',
      masterToken: undefined,
    });
  });

  it.each([
    ['-addr :8080', { host: '', port: 8080 }],
    ['--addr=[::1]:0', { host: '::1', port: 0 }],
    ['-addr example.org:65535', { host: 'example.org', port: 65535 }],
  ])('reads %s', (line, address) => {
    expect(readConfig(line.split(' '), {})).toMatchObject({ address });
  });

  it.each(['8080', ':65536', 'a:b:1', '::1:80', ':', ''])('refuses the address %j', (address) => {
    expect(() => readConfig(['-addr', address], {})).toThrow(/-addr must be/);
  });

  it('reads the options that close or open the admin', () => {
    expect(readConfig(['-headless'], {})).toMatchObject({ headless: true, admin: 'asStored' });
    expect(readConfig(['-disable-admin'], {})).toMatchObject({ headless: false, admin: 'off' });
    expect(readConfig([], { IC_ENABLE_ADMIN: '1' })).toMatchObject({ headless: false, admin: 'on' });
    expect(readConfig(['-admin-host', 'Admin.Example'], {}).adminHost).toBe('admin.example');
    expect(() => readConfig(['-enable-admin'], { IC_HEADLESS: '1' })).toThrow(/contradicts -headless/);
  });

  it('prefers the command line to the environment, and its last value', () => {
    expect(readConfig(['-cache-mb', '1', '-cache-mb=2'], { IC_CACHE_MB: '9' }).cacheMb).toBe(2);
    expect(readConfig([], { IC_CACHE_MB: '9', IC_DEMO: '1' })).toMatchObject({ cacheMb: 9, demo: true });
    expect(readConfig(['-demo'], { IC_DEMO: '0' }).demo).toBe(true);
    expect(() => readConfig([], { IC_CACHE_MB: 'x' })).toThrow(/environment variable IC_CACHE_MB/);
  });
});

describe('the route table', () => {
  it('contains the specified endpoints, each with a complete description', async () => {
    const dataDir = makeTempDir();
    const config = { ...readConfig(['-data', dataDir, '-workers', '1'], {}) };
    const app = await createApp(config, recordingLog(), appFiles);
    const key = (route: { method: string; path: string; access: string }) =>
      `${route.method} ${route.path} ${route.access}`;
    expect(app.routes.map(key).sort()).toEqual(endpoints.map(key).sort());
    for (const route of app.routes) {
      const name = `${route.method} ${route.path}`;
      expect([name, route.summary]).toEqual([name, expect.stringMatching(/^[A-Z]/)]);
      if (route.method === 'GET') expect([name, route.response]).toEqual([name, expect.anything()]);
      if (route.method === 'GET') expect([name, route.body]).toEqual([name, undefined]);
      expect([name, route.params !== undefined]).toEqual([name, route.path.includes('{')]);
    }
    await app.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
});
