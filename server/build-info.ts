import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readAdminManifest } from './startup/admin-build.ts';

/** Version and build of the running program, as `/healthz` and `X-IC-Build` report them. */
export interface BuildInfo {
  readonly version: string;
  /** Identifies the bundled admin app. Equals the version if the admin is not built. */
  readonly build: string;
  /** Commit of a checkout, with `-dirty` for uncommitted changes; empty if unknown. */
  readonly commit: string;
}

const programDir = dirname(dirname(fileURLToPath(import.meta.url)));

/** Reads the version from package.json. The commit is filled in later, because git is slow. */
export function readBuildInfo(): BuildInfo {
  const manifest: unknown = JSON.parse(readFileSync(join(programDir, 'package.json'), 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null ? String(Reflect.get(manifest, 'version')) : '';
  const info = { version, build: readAdminManifest()?.build ?? version, commit: '' };
  if (existsSync(join(programDir, '.git'))) {
    const args = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];
    execFile('git', args, { cwd: programDir }, (error, output) => {
      if (error === null) info.commit = output.trim();
    });
  }
  return info;
}
