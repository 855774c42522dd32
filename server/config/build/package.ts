/**
 * Packs what people install: the built code, and only the packages that are not part of it. Run by `npm run package`,
 * after the build; the argument is the folder for the archive, by default the working directory.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { unbundledPackages } from './package-names.ts';
import { projectRoot } from './program-files.ts';

interface PackageDescription {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

const target = resolve(process.argv[2] ?? '.');
const work = mkdtempSync(join(tmpdir(), 'incipit-package-'));
try {
  const whole = pack(projectRoot, work);
  execFileSync('tar', ['-xzf', whole, '-C', work]);
  const file = join(work, 'package', 'package.json');
  // Type boundary: the package.json of this project.
  const description = JSON.parse(readFileSync(file, 'utf8')) as PackageDescription;
  writeFileSync(file, `${JSON.stringify(toInstalled(description), null, 2)}\n`);
  process.stdout.write(`${pack(join(work, 'package'), target)}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Packs a folder. Returns the path of the archive. */
function pack(folder: string, destination: string): string {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', destination];
  const name = execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim();
  return join(destination, name);
}

/** Without what only a checkout needs. People bring Node.js themselves. */
function toInstalled(description: PackageDescription): Record<string, unknown> {
  const {
    dependencies,
    devDependencies: _1,
    scripts: _2,
    allowScripts: _3,
    files: _4,
    ...kept
  } = description;
  const needed = unbundledPackages.map((name) => {
    const version = dependencies[name];
    if (version === undefined) throw new Error(`package.json has no dependency ${name}`);
    return [name, version];
  });
  return { ...kept, dependencies: Object.fromEntries(needed), engines: { node: '>=22' } };
}
