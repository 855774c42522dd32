/** Both sides of a conflict in the text of a file, as git marks them. */
import { diffComm } from 'node-diff3';
import { renderFiles } from '../format/index.ts';
import type { NamedContent } from './objects/folder-content.ts';
import type { Uid } from './objects/identity.ts';

interface MarkedSides {
  readonly mine: NamedContent;
  readonly live: NamedContent;
  readonly marked: ReadonlySet<Uid>;
}

/** Replaces the texts of marked objects by both sides, between marks where they differ. */
export function writeMarks(texts: Map<string, string>, { mine, live, marked }: MarkedSides): void {
  const render = ({ content, byUid }: NamedContent) =>
    renderFiles(
      content,
      [...marked].flatMap((uid) => byUid.get(uid) ?? []),
    );
  const [ofMine, ofLive] = [render(mine), render(live)];
  for (const [path, text] of ofMine) {
    const other = ofLive.get(path);
    if (other !== undefined && other !== text) texts.set(path, markText(text, other));
  }
}

function markText(mine: string, live: string): string {
  const lines = diffComm(mine.split('\n'), live.split('\n')).flatMap((region) =>
    'common' in region
      ? region.common
      : ['<<<<<<< mine', ...region.buffer1, '=======', ...region.buffer2, '>>>>>>> live'],
  );
  return lines.join('\n');
}
