/** The page about the packages that a production installation contains: `server/THIRD-PARTY.md`. */
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

const LockFile = Type.Object({
  packages: Type.Record(
    Type.String(),
    Type.Object({ dev: Type.Optional(Type.Boolean()), license: Type.Optional(Type.String()) }),
  ),
});

/** A package by its folder name below `node_modules`, with the SPDX name of its licence. */
export interface Package {
  readonly name: string;
  readonly licence: string;
}

/** Every package that `npm ci --omit=dev` installs on some platform, by name; `lock` is package-lock.json. */
export function productionPackages(lock: string): readonly Package[] {
  const { packages }: Static<typeof LockFile> = Value.Parse(LockFile, JSON.parse(lock));
  const licences = new Map<string, Set<string>>();
  for (const [path, { dev, license }] of Object.entries(packages)) {
    const name = path.split('node_modules/').at(-1) ?? '';
    if (dev === true || name === '') continue;
    licences.set(name, (licences.get(name) ?? new Set()).add(license ?? 'unknown'));
  }
  return [...licences]
    .map(([name, found]) => ({ name, licence: [...found].sort().join(' and ') }))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** Works of others inside of packages; the licence in the package's own description does not name them. */
const contained: Readonly<Record<string, string>> = {
  'uWebSockets.js':
    'uWebSockets.js, uWebSockets and µSockets (Apache-2.0), which the package `uws-pack` packs again; in their binaries BoringSSL (Apache-2.0; older parts ISC and OpenSSL) and LSQUIC (MIT)',
  undici: 'llhttp (MIT) as WebAssembly',
  argon2: 'the reference implementation of Argon2 (CC0-1.0 or Apache-2.0)',
  'better-sqlite3': 'SQLite (public domain)',
  sharp:
    'nothing itself; its packages `@img/sharp-...` have libvips (LGPL-3.0-or-later) as a shared library, with the libraries of image formats that its own list of licences names',
  node: 'Node.js (MIT), which contains V8 (BSD-3-Clause), OpenSSL (Apache-2.0), ICU (Unicode-3.0) and others; its LICENSE lists all',
};

export function thirdPartyPage(packages: readonly Package[]): string {
  const rows = packages.map(
    ({ name, licence }) => `| \`${name}\` | ${licence} | ${contained[name] ?? ''} |\n`,
  );
  return `# Licences of third parties

Incipit itself has the [MIT licence](LICENSE).
A production installation (\`npm ci --omit=dev\`) consists of it and of the packages below, those for other platforms included.
Packages have the text of their licence, or its name in \`package.json\`, in their folder below \`node_modules\`; the bundles in \`server/generated\` are made of the same packages.

The test run fails if a package is missing here; \`npx vitest run test/structure/third-party.test.ts -u\` writes this page anew.

| package | licence | contains |
|---|---|---|
${rows.join('')}`;
}
