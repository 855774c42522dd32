import { describe, expect, it } from 'vitest';
import { circlesIn, edgesBetween, foldersOf, type SourceFile, sourceFiles } from './imports.ts';

const layers = ['grammar', 'compiler', 'runtime', 'server'];

describe('imports', () => {
  it.each(['server', 'runtime', 'compiler'])('form no circle between the folders of %s/', (layer) => {
    expect(circlesIn(edgesBetween(sourceFiles(layer), (path) => childOf(layer, path)))).toEqual([]);
  });

  it('form no circle between the children of any folder of server/', () => {
    const files = sourceFiles('server');
    const circles = foldersOf(files).flatMap((folder) =>
      circlesIn(edgesBetween(files, (path) => childOf(folder, path))).map(
        (circle) => `${folder}: ${circle.join(', ')}`,
      ),
    );
    expect(circles).toEqual([]);
  });

  it.each([...layers, 'bench', 'test'])('form no circle between the files of %s/', (layer) => {
    expect(circlesIn(edgesBetween(sourceFiles(layer), (path) => path))).toEqual([]);
  });

  it('reach the queries of a room of server/ only from that room', () => {
    const files = sourceFiles('server');
    const stores = new Set(files.filter(makesQueries).map(({ path }) => path));
    const foreign = files.flatMap(({ path, imports }) =>
      imports
        .filter((target) => stores.has(target) && roomOf(target) !== roomOf(path))
        .map((target) => `${path} imports ${target}`),
    );
    expect(stores.size).toBeGreaterThan(10);
    expect(foreign).toEqual([]);
  });
});

describe('a folder of server/', () => {
  it('has at most twenty source files, server/ itself ten', () => {
    const files = sourceFiles('server').map(({ path }) => path);
    const counts = Map.groupBy(files, (path) => path.split('/').slice(0, -1).join('/'));
    const tooLarge = [...counts].filter(([folder, { length }]) => length > (folder === 'server' ? 10 : 20));
    expect(tooLarge.map(([folder, { length }]) => `${folder}: ${length} files`)).toEqual([]);
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
    // The program runs on the machine of a developer, and asks the server that they name.
    const ofProgram = /^server\/(?:program|features\/folders\/sync\/server)(?:\/|$)/;
    expect([...folders].filter((folder) => !ofProgram.test(folder))).toEqual(['server/http/outgoing']);
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

/** The file or folder directly in `folder` that a path belongs to, undefined outside of it. */
function childOf(folder: string, path: string): string | undefined {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0] : undefined;
}

/** The room of a file: a feature with the floor of its name, a part of the content floor, else a floor. */
function roomOf(path: string): string {
  const [, floor = '', room = ''] = path.split('/');
  return floor === 'features' || floor === 'content' ? room : floor;
}

/**
 * Whether a file is a store of one room. Every file with queries is one, except those of db/, which define how to write
 * them, and the logs of changes/, which all that follows changes reads.
 */
function makesQueries({ path, text }: SourceFile): boolean {
  return !/^server\/(?:db|changes)\//.test(path) && /\b(?:content|activity)(?:Query|Table)\(/.test(text);
}
