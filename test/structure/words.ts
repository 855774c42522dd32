/**
 * Checks names and texts: `node test/structure/words.ts`, part of `npm run structure`. Names that broke a rule before the
 * rule was written are listed in words-exceptions.txt. The list may only shrink: a line that is not needed fails too.
 * `--write` writes
 * the list again, `--warnings` prints what is long but allowed.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Finding, TrackedFile } from './finding.ts';
import { checkChangedComments, checkProse } from './prose.ts';

const root = join(import.meta.dirname, '..', '..');
const exceptionsFile = join(import.meta.dirname, 'words-exceptions.txt');

const participles =
  /^(?:Told|Known|Kept|Made|Wanted|Asked|Moved|Given|Found|Sent|Taken|Begun|Shown|Done|Fetched|Passed|Loaded|Bound|Opened|Finished|Touched|Waiting|Newest|Used|Read|Written|Stored|Built|Seen|Held|Left|Listed|Named|Typed|Chosen|Changed)$/;
const emptyFirstWord = /^(?:told|kept|beside|within)(?=[A-Z]|$)/;
const freeFileNames = new Set(['index', 'model', 'service', 'store']);

interface ExportedName {
  readonly path: string;
  readonly name: string;
  readonly kind: 'type' | 'class' | 'function' | 'value';
}

/** All findings in the given files: names of exports, names of files, and sentences of READMEs. */
export function findFaults(files: readonly TrackedFile[]): Finding[] {
  const code = files.filter(({ path }) => /\.tsx?$/.test(path) && !/^(?:test|bench)\//.test(path));
  const names = code.flatMap(listExports);
  const readmes = files.filter(({ path }) => path.endsWith('README.md'));
  return [
    ...names.flatMap(checkName),
    ...checkTwins(names),
    ...code.flatMap(checkFileName),
    ...readmes.flatMap(checkProse),
  ];
}

function listExports({ path, text }: TrackedFile): ExportedName[] {
  const declaration = /^export (?:abstract |async )?(class|interface|type|function|const)\*? (\w+)(.*)$/gm;
  return [...text.matchAll(declaration)].map(([, word = '', name = '', rest = '']) => {
    if (word === 'class') return { path, name, kind: 'class' };
    if (word === 'interface' || word === 'type') return { path, name, kind: 'type' };
    const isFunction = word === 'function' || /=\s*(?:async\s*)?\(|=>/.test(rest);
    return { path, name, kind: isFunction ? 'function' : 'value' };
  });
}

function checkName({ path, name, kind }: ExportedName): Finding[] {
  const key = `${path} ${name}`;
  if ((kind === 'type' || kind === 'class') && participles.test(name))
    return [{ key, advice: `is a lone participle: name the thing, such as ${name}Request or ${name}Page` }];
  if (kind !== 'function') return [];
  if (/^[a-z]\w*Of$/.test(name))
    return [
      { key, advice: 'is exported and begins with no verb: find, require, parse, to, create, compute' },
    ];
  if (emptyFirstWord.test(name))
    return [{ key, advice: 'begins with a word that names no action: use a verb' }];
  return [];
}

/** Types and classes that have one name in one top-level folder. */
function checkTwins(names: readonly ExportedName[]): Finding[] {
  const types = names.filter(({ kind }) => kind === 'type' || kind === 'class');
  const groups = Map.groupBy(types, ({ path, name }) => `${path.split('/')[0]} ${name}`);
  return [...groups.values()].flatMap((group) => {
    const paths = [...new Set(group.map(({ path }) => path))];
    const advice = `is the name of types in ${paths.join(' and ')}: say in the name which one`;
    return paths.length < 2
      ? []
      : paths.map((path) => ({ key: `${path} ${group[0]?.name} (twice)`, advice }));
  });
}

function checkFileName(file: TrackedFile): Finding[] {
  const classes = listExports(file).filter(({ kind }) => kind === 'class');
  const [only, second] = classes;
  if (only === undefined || second !== undefined) return [];
  const fileName = basename(file.path).replace(/\.tsx?$/, '');
  const kebab = only.name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase();
  if (fileName === kebab || freeFileNames.has(fileName)) return [];
  return [{ key: `${file.path} (file)`, advice: `exports one class, so its name is ${kebab}` }];
}

function readTracked(): TrackedFile[] {
  const paths = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  return paths
    .filter(
      (path) => /\.tsx?$|README\.md$/.test(path) && !/(?:fixtures|generated)\/|demo\/content\//.test(path),
    )
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

function main(): void {
  const diff = execFileSync('git', ['diff', '-U0', 'HEAD', '--', '*.ts', '*.tsx'], {
    cwd: root,
    encoding: 'utf8',
  });
  const all = [...findFaults(readTracked()), ...checkChangedComments(diff)];
  const findings = all.filter(({ isWarning }) => isWarning !== true);
  if (process.argv.includes('--warnings'))
    for (const { key, advice } of all.filter(({ isWarning }) => isWarning))
      process.stdout.write(`warning: ${key} ${advice}\n`);
  if (process.argv.includes('--write')) {
    writeFileSync(
      exceptionsFile,
      `${findings
        .map(({ key }) => key)
        .sort()
        .join('\n')}\n`,
    );
    return;
  }
  const exceptions = new Set(
    readFileSync(exceptionsFile, 'utf8')
      .split('\n')
      .filter((line) => line !== ''),
  );
  const faults = findings
    .filter(({ key }) => !exceptions.has(key))
    .map(({ key, advice }) => `${key}: ${advice}`);
  const needed = new Set(findings.map(({ key }) => key));
  for (const line of exceptions)
    if (!needed.has(line)) faults.push(`words-exceptions.txt: "${line}" is not needed any more`);
  if (faults.length > 0) process.stderr.write(`${faults.join('\n')}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) main();
