import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diff } from '../../server/features/folders/sync/diff.ts';
import type { PullOptions, PushOptions, SyncOutcome } from '../../server/features/folders/sync/model.ts';
import { pull } from '../../server/features/folders/sync/pull.ts';
import { push } from '../../server/features/folders/sync/push.ts';
import { makeTempDir, masterToken, type TestServer } from './server.ts';

/** A website as a folder, in a temporary directory. */
export class TestFolder {
  readonly path = makeTempDir();

  /** Writes files; undefined deletes one. */
  write(files: Readonly<Record<string, string | Uint8Array | undefined>>): this {
    for (const [name, content] of Object.entries(files)) {
      const path = join(this.path, name);
      if (content === undefined) rmSync(path, { recursive: true });
      else {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, content);
      }
    }
    return this;
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), 'utf8');
  }

  /** All files but those that are not committed, with their bytes as Latin-1. */
  files(): Record<string, string> {
    const entries = readdirSync(this.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.path.length + 1))
      .filter((name) => !name.startsWith('.'));
    return Object.fromEntries(
      entries.toSorted().map((name) => [name, readFileSync(join(this.path, name), 'latin1')]),
    );
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  pull(server: Pick<TestServer, 'url'>, options: Partial<PullOptions> = {}): Promise<SyncOutcome> {
    return pull({ folder: this.path, remote: server.url, token: masterToken, ...options });
  }

  push(server: Pick<TestServer, 'url'>, options: Partial<PushOptions> = {}): Promise<SyncOutcome> {
    return push({ folder: this.path, remote: server.url, token: masterToken, ...options });
  }

  diff(server: Pick<TestServer, 'url'>): Promise<SyncOutcome> {
    return diff({ folder: this.path, remote: server.url, token: masterToken });
  }
}

/** The smallest website. */
export const siteFiles = {
  'site.json': '{\n  "format": 1,\n  "title": "Museum"\n}\n',
  'pages/index.html': '<h1>Museum</h1>\n',
};

/** A page with a text. */
export function pageFile(title: string, html: string): string {
  return `---\ntitle: ${title}\n---\n${html}`;
}
