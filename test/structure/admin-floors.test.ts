/** The floors of the admin hold, and a file that breaks a rule of theirs is found. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { adminRules, floors } from './admin-floors.ts';
import {
  circlesIn,
  edgesBetween,
  foldersOf,
  loadedWith,
  parseSource,
  type SourceFile,
  sourceFiles,
} from './imports.ts';
import { findBrokenRules } from './planted.ts';

const src = 'admin/src';

const firstLoaded = ['admin/src/main.tsx', 'admin/src/screens/dashboard/dashboard-screen.tsx'];
const maxFiles = 20;
const typeImport = "import type { planted } from 'FILE'; export type User = typeof planted;";
const lazyImport = "export const load = () => import('FILE');";

describe('the admin', () => {
  const files = sourceFiles('admin/src');

  it('has the floors of the table, and no other', () => {
    const root = join(import.meta.dirname, '..', '..', src);
    expect(Object.keys(floors).sort()).toEqual(readdirSync(root).sort());
  });

  it('has no circle between the folders and loose files of a folder', () => {
    expect(folderCircles(files)).toEqual([]);
  });

  it('has at most twenty source files in a folder', () => {
    expect(crowdedFolders(files)).toEqual([]);
  });

  it('loads nothing of kit and editors with main.tsx and the dashboard', () => {
    expect(loadedWith(firstLoaded, files).size).toBeGreaterThan(80);
    expect(loadedTooEarly(files)).toEqual([]);
  });
});

describe('the rules of the floors of admin/src', () => {
  const breaking: readonly (readonly [from: string, to: string, rule: string])[] = [
    ['ui/a.ts', '../../server/x.ts', 'admin-talks-http-only'],
    ['api/a.ts', 'api/a.ts', 'admin-without-circles'],
    ['loose.ts', 'base/x.ts', 'admin-has-floors'],
    ['other/a.ts', 'base/x.ts', 'admin-has-floors'],
    ['main.tsx', 'kit/x.ts', 'admin-floor-main.tsx'],
    ['main.tsx', 'editing/merge/merge.ts', 'admin-floor-main.tsx'],
    ['app/a.ts', 'editing/x.ts', 'admin-floor-app'],
    ['screens/pages/a.ts', 'app/x.ts', 'admin-floor-screens'],
    ['editors/code/a.ts', 'screens/media/x.ts', 'admin-floor-editors'],
    ['editing/a.ts', 'editors/code/x.ts', 'admin-floor-editing'],
    ['kit/a.ts', 'editing/x.ts', 'admin-floor-kit'],
    ['content/a.ts', 'ui/x.ts', 'admin-floor-content'],
    ['commands/a.ts', 'content/x.ts', 'admin-floor-commands'],
    ['ui/a.ts', 'api/x.ts', 'admin-floor-ui'],
    ['api/a.ts', 'ui/x.ts', 'admin-floor-api'],
    ['base/a.ts', 'api/x.ts', 'admin-floor-base'],
    ['screens/pages/a.ts', 'screens/media/x.ts', 'admin-screens-apart'],
    ['app/a.ts', 'screens/media/x.ts', 'admin-screens-come-lazily'],
    ['editors/text/a.ts', 'base/x.ts', 'admin-has-editors'],
    ['editors/code/a.ts', 'editors/files/x.ts', 'admin-editor-code'],
    ['editors/files/a.ts', 'editors/code/x.ts', 'admin-editor-files'],
    ['editors/preview/a.ts', 'editors/code/x.ts', 'admin-editor-preview'],
    ['editors/richtext/a.ts', 'editors/fields/x.ts', 'admin-editor-richtext'],
    ['editors/fields/a.ts', 'editors/preview/x.ts', 'admin-editor-fields'],
    ['editors/versions/a.ts', 'editors/files/x.ts', 'admin-editor-versions'],
    ['editors/blocks/a.ts', 'editors/versions/x.ts', 'admin-editor-blocks'],
  ];

  it('are all broken by what the next test plants', () => {
    expect(new Set(breaking.map(([, , rule]) => rule))).toEqual(new Set(adminRules.map(({ name }) => name)));
  });

  it.each(breaking)('refuse that %s imports %s: %s', async (from, to, rule) => {
    expect(await findBrokenRules(adminRules, join(src, from), join(src, to))).toContain(rule);
  });

  it.each([
    ['main.tsx', 'kit/x.ts', 'admin-floor-main.tsx', typeImport],
    ['ui/a.ts', 'api/x.ts', 'admin-floor-ui', typeImport],
    ['screens/pages/a.ts', 'screens/media/x.ts', 'admin-screens-apart', typeImport],
    ['screens/pages/a.ts', 'screens/media/x.ts', 'admin-screens-apart', lazyImport],
    ['editors/code/a.ts', 'screens/media/x.ts', 'admin-floor-editors', lazyImport],
  ])('refuse that %s imports %s also as a type or later', async (from, to, rule, statement) => {
    expect(await findBrokenRules(adminRules, join(src, from), join(src, to), statement)).toEqual([rule]);
  });

  it.each([
    ['main.tsx', 'editing/drafts.ts'],
    ['app/a.ts', 'kit/list/x.ts'],
    ['screens/pages/a.ts', 'screens/pages/x.ts'],
    ['screens/pages/a.ts', 'editors/blocks/x.ts'],
    ['editors/blocks/a.ts', 'editors/fields/x.ts'],
    ['kit/list/a.ts', 'content/x.ts'],
    ['base/a.ts', 'base/x.ts'],
  ])('allow that %s imports %s', async (from, to) => {
    expect(await findBrokenRules(adminRules, join(src, from), join(src, to))).toEqual([]);
  });

  it('allow that app/ imports a screen later', async () => {
    const [from, to] = [join(src, 'app/a.ts'), join(src, 'screens/media/x.ts')];
    expect(await findBrokenRules(adminRules, from, to, lazyImport)).toEqual([]);
  });
});

describe('what breaks a rule of the admin', () => {
  it('is found between folders', () => {
    const files = [
      parseSource('admin/src/kit/a.ts', "import './list/b.ts';"),
      parseSource('admin/src/kit/list/b.ts', "import type { c } from '../c.ts';"),
      parseSource('admin/src/ui/rows/a.tsx', "import { b } from '../values/b.ts';"),
      parseSource('admin/src/ui/values/c.module.css', '.a { composes: b from "../rows/b.module.css"; }'),
    ];
    expect(folderCircles(files)).toEqual(['admin/src/kit: list, loose files', 'admin/src/ui: rows, values']);
  });

  it('is found in a folder of 21 files', () => {
    const files = Array.from({ length: 21 }, (_, index) => parseSource(`admin/src/kit/${index}.ts`, ''));
    expect(crowdedFolders(files)).toEqual(['admin/src/kit: 21 files']);
  });

  it('is found on the way to a file that loads too early', () => {
    const files = [
      parseSource(
        'admin/src/main.tsx',
        "import {\n  a,\n} from './ui/a.ts';\nvoid import('./kit/later.ts');",
      ),
      parseSource('admin/src/ui/a.ts', "import type { d } from '../editors/d.ts';\nimport '../kit/b.ts';"),
    ];
    expect(loadedTooEarly(files)).toEqual(['admin/src/kit/b.ts by admin/src/ui/a.ts']);
  });
});

/** Circles between the parts of each folder: its folders, and its loose files as one part. */
function folderCircles(files: readonly SourceFile[]): string[] {
  return foldersOf(files).flatMap((folder) =>
    circlesIn(edgesBetween(files, (path) => partOf(folder, path))).map(
      (circle) => `${folder}: ${circle.join(', ')}`,
    ),
  );
}

function partOf(folder: string, path: string): string | undefined {
  if (!path.startsWith(`${folder}/`)) return undefined;
  const [part, ...rest] = path.slice(folder.length + 1).split('/');
  return rest.length === 0 ? 'loose files' : part;
}

function crowdedFolders(files: readonly SourceFile[]): string[] {
  return [...Map.groupBy(files, ({ path }) => dirname(path))]
    .filter(([, { length }]) => length > maxFiles)
    .map(([folder, { length }]) => `${folder}: ${length} files`);
}

/** Files of kit and editors that load with the first screen, and what loads them. */
function loadedTooEarly(files: readonly SourceFile[]): string[] {
  return [...loadedWith(firstLoaded, files)]
    .filter(([path]) => /^admin\/src\/(?:kit|editors)\//.test(path))
    .map(([path, loader]) => `${path} by ${loader}`);
}
