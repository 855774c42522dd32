import { describe, expect, it } from 'vitest';
import { circlesIn, edgesBetween, type SourceFile, sourceFiles } from './imports.ts';

const layers = ['grammar', 'compiler', 'runtime', 'server'];

describe('imports', () => {
  it.each(['server', 'runtime', 'compiler'])('form no circle between the folders of %s/', (layer) => {
    expect(circlesIn(edgesBetween(sourceFiles(layer), partOf))).toEqual([]);
  });

  it.each([...layers, 'bench', 'test'])('form no circle between the files of %s/', (layer) => {
    expect(circlesIn(edgesBetween(sourceFiles(layer), (path) => path))).toEqual([]);
  });

  it('reach the queries of a folder of server/ only from that folder', () => {
    const files = sourceFiles('server');
    const stores = new Set(files.filter(makesQueries).map(({ path }) => path));
    const foreign = files.flatMap(({ path, imports }) =>
      imports
        .filter(
          (target) => stores.has(target) && folderOf(target) !== '' && folderOf(target) !== folderOf(path),
        )
        .map((target) => `${path} imports ${target}`),
    );
    expect(stores.size).toBeGreaterThan(10);
    expect(foreign).toEqual([]);
  });
});

describe('requests to other hosts', () => {
  /** Ways to reach a host; what only listens or tells types of addresses is none. */
  const ways = [
    // A call of the global function, not the declaration of a method of this name.
    /(?:await|return|=|=>|\()\s*fetch\(/,
    /from 'undici'/,
    /\b(?:request|get|connect|createConnection|lookup|resolve\w*|Agent|Resolver)\b[^{}]*\} from 'node:(?:https?|http2|net|tls|dgram|dns)[a-z/]*'/,
    /import\('(?:node:)?(?:https?|http2|net|tls|dgram|dns)/,
  ];

  it('are sent by server/http/outgoing only, which guards them', () => {
    const senders = sourceFiles(...layers).filter(({ text }) => ways.some((way) => way.test(text)));
    const folders = new Set(senders.map(({ path }) => path.split('/').slice(0, -1).join('/')));
    expect([...folders]).toEqual(['server/http/outgoing']);
  });
});

describe('the search for circles', () => {
  const edges = (list: readonly (readonly [string, string])[]) =>
    new Map(
      [...new Set(list.flat())].map((node) => [
        node,
        new Set(list.filter(([from]) => from === node).map(([, to]) => to)),
      ]),
    );

  it('finds circles of several steps', () => {
    expect(
      circlesIn(
        edges([
          ['a', 'b'],
          ['b', 'c'],
          ['c', 'a'],
          ['c', 'd'],
        ]),
      ),
    ).toEqual([['a', 'b', 'c']]);
  });

  it('finds none when all paths end', () => {
    expect(
      circlesIn(
        edges([
          ['a', 'b'],
          ['a', 'c'],
          ['b', 'c'],
        ]),
      ),
    ).toEqual([]);
  });
});

/** The name of the folder or file directly in a layer. */
function partOf(path: string): string | undefined {
  const [layer = '', part] = path.split('/');
  return layers.includes(layer) ? part : undefined;
}

/** The folder of server/ that contains a file; empty for files directly in server/. */
function folderOf(path: string): string {
  const segments = path.split('/');
  return segments.length > 2 ? (segments[1] ?? '') : '';
}

/** Whether a file is a store. Every file with queries is one, except those of db/, which define how to write them. */
function makesQueries({ path, text }: SourceFile): boolean {
  return !path.startsWith('server/db/') && /\b(?:content|activity)Query\(/.test(text);
}
