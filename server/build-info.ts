import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What is running, as `/healthz` and `X-IC-Build` report it. */
export interface BuildInfo {
  readonly version: string;
  /** Identifies the bundled admin app; as long as none is bundled, the version. */
  readonly build: string;
  /** Commit of a checkout, with `-dirty` for uncommitted changes; empty if unknown. */
  readonly commit: string;
}

const programDir = dirname(dirname(fileURLToPath(import.meta.url)));

/** Version from package.json; the commit comes in later, because asking git takes longer than starting should. */
export function readBuildInfo(): BuildInfo {
  const manifest: unknown = JSON.parse(readFileSync(join(programDir, 'package.json'), 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null ? String(Reflect.get(manifest, 'version')) : '';
  const info = { version, build: version, commit: '' };
  if (existsSync(join(programDir, '.git'))) {
    const args = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];
    execFile('git', args, { cwd: programDir }, (error, output) => {
      if (error === null) info.commit = output.trim();
    });
  }
  return info;
}
