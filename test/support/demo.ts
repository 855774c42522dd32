import { startServer, type TestServer } from './server.ts';
import { logIn } from './session.ts';

/** A server with the demo website and its administrator. */
export interface DemoServer extends TestServer {
  readonly password: string;
}

/** Starts a server that installs the demo website. @param dataDir see `startServer` */
export async function installDemo(dataDir?: string): Promise<DemoServer> {
  const server = await startServer({ args: ['-demo'], ...(dataDir === undefined ? {} : { dataDir }) });
  // It is printed once, on the second line.
  const [, password = ''] = /password: (\S+)/.exec(await server.line(1)) ?? [];
  return { ...server, password };
}

/** The session of the administrator of a demo. */
export function demoSession(server: DemoServer): Promise<string> {
  return logIn(server, { username: 'demo', password: server.password });
}
