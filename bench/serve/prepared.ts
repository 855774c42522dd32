import { get } from 'node:http';

/** An answer as it came over the wire, for servers that only repeat it. */
export interface PreparedAnswer {
  /** Names and values in turn, without those that a server sets by itself. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly bodyEncoding: 'base64';
}

/** Fetches a page with the given request headers; throws if it is not answered with 200. */
export async function fetchAnswer(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<PreparedAnswer> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
        else resolve(prepare(response.rawHeaders, Buffer.concat(chunks)));
      });
    });
    request.on('error', reject);
  });
}

/** Headers that servers add themselves. */
const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'uwebsockets',
]);

function prepare(raw: readonly string[], body: Buffer): PreparedAnswer {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    if (!ownHeaders.has(name.toLowerCase())) headers.push([name, raw[index + 1] ?? '']);
  }
  return { headers, body: body.toString('base64'), bodyEncoding: 'base64' };
}
