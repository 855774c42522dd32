/** The page about third parties names every production package, and each has a licence that fits ours. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { productionPackages, thirdPartyPage } from './third-party.ts';

const lock = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8');

/** Licences that let everyone pass the whole on under the MIT licence. */
const fitting = [
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'MIT-0'],
  // Permissive like BSD. Of argparse, which only the command line of markdown-it uses.
  'PSF-2.0',
  '(MIT OR CC0-1.0)',
  'Unlicense',
  // Given up to the public. Of mdn-data, which css-tree uses.
  'CC0-1.0',
  // Fonts of the admin.
  'OFL-1.1',
  // Holds for its own files only. Of lightningcss, which Vite uses, unchanged, when the admin is built.
  'MPL-2.0',
];

/**
 * The image library of sharp comes as a shared library of its own, unchanged, that everyone can replace: that is what
 * the LGPL asks for. Nothing else may come under it.
 */
const sharedLibraries = /^@img\/sharp-(?:libvips-|wasm32$|win32-)/;

test('THIRD-PARTY.md names all packages with their licences', async () => {
  await expect(thirdPartyPage(productionPackages(lock))).toMatchFileSnapshot('../../server/THIRD-PARTY.md');
});

test('every licence fits', () => {
  const others = productionPackages(lock).filter(({ name, licence }) => {
    const parts = licence.split(' AND ');
    const isShared = sharedLibraries.test(name) && parts.includes('LGPL-3.0-or-later');
    return !parts.every((part) => fitting.includes(part) || (isShared && part === 'LGPL-3.0-or-later'));
  });
  expect(others).toEqual([]);
});

test('packages for development only are left out, and packages without a licence are not', () => {
  const packages = {
    '': { name: 'incipit', license: 'MIT' },
    'node_modules/a': { license: 'ISC' },
    'node_modules/a/node_modules/@b/c': {},
    'node_modules/d': { dev: true, license: 'MIT' },
  };
  expect(productionPackages(JSON.stringify({ packages }))).toEqual([
    { name: '@b/c', licence: 'unknown' },
    { name: 'a', licence: 'ISC' },
  ]);
});
