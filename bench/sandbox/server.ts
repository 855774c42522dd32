/** A bare server that answers a JSON body with what a function of three lines makes of it: `direct` or `sandbox`. */
import { createServer, type IncomingMessage } from 'node:http';
import { currentBundle, sources } from '../../server/config/build/program-files.ts';
import { Sandbox } from '../../server/processes/sandbox/sandbox.ts';
import { directly, functionCode } from './function.ts';

const runners: Readonly<Record<string, () => (message: string) => Promise<string> | string>> = {
  direct: () => (message) => JSON.stringify(directly(JSON.parse(message))),
  sandbox() {
    const log = { error: console.error, warn: console.error, info: console.error, debug: console.error };
    const sandbox = new Sandbox({ filename: (currentBundle() ?? sources()).sandbox, log });
    process.once('SIGTERM', () => sandbox.close().then(() => process.exit()));
    const { signal } = new AbortController();
    const call = async (): Promise<string> => 'null';
    const task = { code: functionCode, outputs: 1, call, log: () => {}, signal };
    return async (message) => {
      const { outputs, error } = await sandbox.run({ ...task, message });
      if (error !== undefined) throw new Error(error.message);
      return outputs[0]?.[0] ?? '';
    };
  },
};

const run = runners[process.argv[2] ?? '']?.();
if (run === undefined) throw new Error('usage: server.ts direct | sandbox');

const server = createServer(async (request, response) => {
  const answer = await run(await bodyOf(request));
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(answer),
  });
  response.end(answer);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`http://127.0.0.1:${address?.port}`);
});

function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => resolve(body));
  });
}
