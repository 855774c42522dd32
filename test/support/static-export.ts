import { asRecord, call } from './api.ts';
import { masterToken, type TestServer } from './server.ts';
import { readZip, type ZippedFile } from './zip.ts';

export interface StaticExport {
  readonly status: number;
  readonly headers: Headers;
  readonly files: ReadonlyMap<string, ZippedFile>;
}

/** Downloads a static export. @param query without `?` */
export async function exportSite(
  server: Pick<TestServer, 'url'>,
  siteId: number,
  query = '',
): Promise<StaticExport> {
  const answer = await fetch(`${server.url}/api/v1/sites/${siteId}/static?${query}`, {
    headers: { Authorization: `Bearer ${masterToken}` },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`${answer.status} ${bytes}`);
  return { status: answer.status, headers: answer.headers, files: readZip(bytes) };
}

/** The report about a static export. */
export async function exportReport(
  server: Pick<TestServer, 'url'>,
  siteId: number,
  query = '',
): Promise<Readonly<Record<string, unknown>>> {
  return asRecord((await call(server, 'GET', `/sites/${siteId}/static?dry=1&${query}`)).body);
}
