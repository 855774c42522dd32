import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { trimFolder } from '../../server/processes/cache-folder.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'incipit-cache-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, bytes: number, second: number): void {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, 'x'.repeat(bytes));
  utimesSync(path, second, second);
}

function files(): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}

test('the oldest files of all folders are deleted until three quarters of the limit are left', async () => {
  write('templates/aa/new', 30, 400);
  write('templates/bb/oldest', 30, 100);
  write('assets/old', 30, 200);
  write('assets/middle', 30, 300);
  await trimFolder(folder, 100);
  expect(files()).toEqual(['middle', 'new']);
});

test('no file is deleted below the limit', async () => {
  write('templates/aa/a', 50, 100);
  write('assets/b', 50, 200);
  await trimFolder(folder, 100);
  expect(files()).toEqual(['a', 'b']);
});

test('a missing folder counts as empty', async () => {
  await expect(trimFolder(join(folder, 'nowhere'), 0)).resolves.toBeUndefined();
});
