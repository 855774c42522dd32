import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { callList } from '../api.ts';
import { installDemo } from '../demo.ts';
import { makeTempDir } from '../server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Data directory of a stopped server with the demo website, and the password of its administrator. */
    demo: { readonly dataDir: string; readonly password: string };
  }
}

/** Installs the demo website for all files of the project: that takes ten times as long as a start. */
export default async function start(project: TestProject): Promise<() => void> {
  const dataDir = makeTempDir();
  const server = await installDemo(dataDir);
  // An answer with a variant waits until all of its file are stored. Otherwise each copy would draw them again.
  for (const { srcset } of await callList(server, '/files')) await fetch(server.url + firstAddress(srcset));
  await server.end('SIGTERM');
  project.provide('demo', { dataDir, password: server.password });
  return () => rmSync(dataDir, { recursive: true, force: true });
}

function firstAddress(srcset: unknown): string {
  return String(srcset).split(' ')[0] ?? '';
}
