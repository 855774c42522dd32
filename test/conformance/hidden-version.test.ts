import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callOk } from '../support/api.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** The description of the API, compressed and cached for everybody, and the setting `hide_version`. */

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** A request whose body stays as it is sent. */
function get(path: string, headers: Readonly<Record<string, string>> = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; size: number }>(
    (resolve, reject) => {
      request(`${server.url}${path}`, { headers }, (response) => {
        let size = 0;
        response.on('data', (part: Buffer) => {
          size += part.length;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: { ...response.headers }, size }),
        );
      })
        .on('error', reject)
        .end();
    },
  );
}

const documentPath = '/api/v1/openapi.json';

describe('openapi.json', () => {
  it.each(['gzip', 'br'])('is compressed from the first request on: %s', async (encoding) => {
    const whole = await get(documentPath);
    const packed = await get(documentPath, { 'Accept-Encoding': encoding });
    expect(packed.headers['content-encoding']).toBe(encoding);
    expect(packed.size).toBeLessThan(whole.size / 5);
  });

  it('is asked for again without being sent again', async () => {
    const first = await get(documentPath, { 'Accept-Encoding': 'gzip' });
    expect(first.headers).toMatchObject({ etag: expect.any(String), 'cache-control': 'private, no-cache' });
    const again = await get(documentPath, { 'If-None-Match': String(first.headers['etag']) });
    expect({ status: again.status, size: again.size }).toEqual({ status: 304, size: 0 });
  });
});

describe('the version', () => {
  const versions = async (token?: null) => {
    const options = token === null ? { token } : {};
    const [index, status, document] = await Promise.all(
      ['/', '/auth/status', '/openapi.json'].map(async (path) =>
        asRecord((await call(server, 'GET', path, options)).body),
      ),
    );
    return [index?.['version'], status?.['version'], asRecord(document?.['info'])['version']];
  };

  it('is shown to everybody unless it is hidden, then only to callers with a credential', async () => {
    const { version } = asRecord(await (await fetch(`${server.url}/healthz`)).json());
    expect(await versions(null)).toEqual([version, version, version]);
    await callOk(server, 'PUT', '/security', { hide_version: true });
    expect(await versions(null)).toEqual(['', '', 'v1']);
    expect(await versions()).toEqual([version, version, version]);
    for (const path of [documentPath, '/api/v1/auth/status', '/api/v1', '/', '/healthz', '/unknown'])
      expect(await (await fetch(`${server.url}${path}`)).text()).not.toContain(`"${version}"`);
    await callOk(server, 'PUT', '/security', { hide_version: false });
    expect(await versions(null)).toEqual([version, version, version]);
  });

  it.each(['/', '/healthz', '/api/v1/pages', '/media/none.txt', '/cms-admin/'])(
    'of the library is in no header of %s',
    async (path) => {
      const { headers } = await get(path);
      expect(Object.keys(headers).filter((name) => /server|powered|uwebsockets/.test(name))).toEqual([]);
    },
  );
});
