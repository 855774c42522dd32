import { HttpServer } from '../../server/http/exchange/index.ts';
import { type OpenTransportOptions, openTransport } from '../../server/http/exchange/open-transport.ts';
import { asyncApi } from './api-handler.ts';
import { entryFiles } from './entry-files.ts';
import { recordingLog } from './quiet-log.ts';
import { noSecurityHeaders } from './security-headers.ts';

type FrontOptions = ConstructorParameters<typeof HttpServer>[0];

export interface TestFrontOptions
  extends Partial<Pick<FrontOptions, 'api' | 'delivery'>>,
    Omit<OpenTransportOptions, 'log' | 'threadFile'> {}

export interface TestFront {
  readonly front: HttpServer;
  readonly port: number;
}

/** A front on a free port. Where nothing else is said, the API and websites answer 200 with an empty body. */
export async function startFront({
  api = asyncApi(async () => ({ status: 200, headers: [], body: '' })),
  delivery = () => ({ status: '200 OK', headers: [], body: '' }),
  ...transport
}: TestFrontOptions): Promise<TestFront> {
  const log = recordingLog();
  const front = new HttpServer({
    security: noSecurityHeaders,
    api,
    refuseApi: () => ({ status: 400, headers: [], body: '' }),
    delivery,
    transport: await openTransport({ ...transport, log, threadFile: entryFiles.thread }),
    scheme: 'http',
    log,
    spillPath: () => '',
  });
  return { front, port: await front.listen('127.0.0.1', 0) };
}
