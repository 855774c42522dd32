import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAdminManifest } from './build/admin-files.ts';
import { projectRoot } from './build/program-files.ts';

/** Version and build of the running program, as `/healthz` and `X-IC-Build` report them. */
export interface BuildInfo {
  readonly version: string;
  /** Identifies the bundled admin app. Equals the version if the admin is not built. */
  readonly build: string;
  /** Commit of a checkout, with `-dirty` for uncommitted changes; empty if unknown. */
  readonly commit: string;
}

export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  return typeof manifest === 'object' && manifest !== null ? String(Reflect.get(manifest, 'version')) : '';
}

/** Reads the version from package.json. The commit is filled in later, because git is slow. */
export function readBuildInfo(): BuildInfo {
  const version = readVersion();
  const info = { version, build: readAdminManifest()?.build ?? version, commit: '' };
  if (existsSync(join(projectRoot, '.git'))) {
    const args = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];
    execFile('git', args, { cwd: projectRoot }, (error, output) => {
      if (error === null) info.commit = output.trim();
    });
  }
  return info;
}
