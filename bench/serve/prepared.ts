import { get } from 'node:http';

/** An answer as it came over the wire, for servers that only repeat it. */
export interface PreparedAnswer {
  /** Path of the request. */
  readonly path: string;
  readonly status: number;
  readonly statusText: string;
  /** Names and values, without those that a server sets by itself. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly bodyEncoding: 'base64';
}

/** Fetches an address with the given request headers; throws if it is not answered with the status. */
export async function fetchAnswer(
  url: string,
  headers: Readonly<Record<string, string>>,
  status = 200,
): Promise<PreparedAnswer> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode = 0, statusMessage = '', rawHeaders } = response;
        if (statusCode !== status) reject(new Error(`${url} answered ${statusCode}`));
        else
          resolve({
            path: new URL(url).pathname,
            status: statusCode,
            statusText: statusMessage,
            headers: ownHeadersOf(rawHeaders),
            body: Buffer.concat(chunks).toString('base64'),
            bodyEncoding: 'base64',
          });
      });
    });
    request.on('error', reject);
  });
}

/** Headers that servers add themselves. */
const addedHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'uwebsockets',
]);

function ownHeadersOf(raw: readonly string[]): [string, string][] {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    if (!addedHeaders.has(name.toLowerCase())) headers.push([name, raw[index + 1] ?? '']);
  }
  return headers;
}

export function headerOf({ headers }: PreparedAnswer, name: string): string | undefined {
  return headers.find(([header]) => header.toLowerCase() === name)?.[1];
}
