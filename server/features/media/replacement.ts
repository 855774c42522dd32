/** New bytes for a file, prepared as another file: so they can be part of a batch or a change set. */
import { randomBytes } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { invalid } from '../../base/errors.ts';
import type { Change } from '../../changes/changes.ts';
import type { Kind, KindOperation } from '../../content/kinds/kind.ts';
import { removeObject, requireObject, updateObject } from '../../content/kinds/objects.ts';
import type { MediaLibrary } from './library.ts';
import { contentFieldNames, type FileChange, type NewFile, type StoredFile } from './model.ts';
import * as store from './store.ts';

const FileReplacement = Type.Object(
  { file_id: Type.Integer({ minimum: 1, description: 'ID of the file that has the bytes; it is deleted.' }) },
  { title: 'FileReplacement', description: 'Bytes for a file, uploaded as another file.' },
);
type FileReplacement = Static<typeof FileReplacement>;

type ContentKind = Kind<StoredFile, typeof NewFile, typeof FileChange>;

interface ReplacementDeps {
  /** The kind of files for changes of the content, which has the operation itself. */
  findKind(): ContentKind;
  readonly library: Pick<MediaLibrary, 'crops' | 'dropCrops'>;
  onStored(file: StoredFile): void;
}

export function createReplacement(deps: ReplacementDeps): KindOperation {
  return {
    body: FileReplacement,
    idFields: ['file_id'],
    errors: [],
    // Type boundary: the body has passed `FileReplacement`.
    run: (change, id, body) => takeContent(change, deps, id, body as FileReplacement),
  };
}

/** Both files exchange their contents, then the other one goes to the trash with the bytes from before. */
async function takeContent(
  change: Change,
  deps: ReplacementDeps,
  id: number,
  { file_id: otherId }: FileReplacement,
): Promise<void> {
  const kind = deps.findKind();
  const file = await requireObject(kind, change.tx, id);
  const other = await kind.find(change.tx, otherId);
  if (other === undefined || otherId === id)
    throw invalid('file_id', `must be the ID of another file, not ${otherId}`);
  // No two files may have one content, not even for a moment.
  await store.files.update(change.tx, { ...other, content: randomBytes(16).toString('hex') });
  await updateObject(change, { ...kind, write: createWrite(deps) }, id, pickContent(other));
  await store.files.update(change.tx, { ...other, ...pickContent(file) });
  await removeObject(change, kind, otherId);
}

/** Unlike that of the kind it leaves the bytes from before in the storage. */
function createWrite({ library, onStored }: ReplacementDeps): ContentKind['write'] {
  return async (change, after, before) => {
    const crops = await library.crops(change.tx, before);
    await store.files.update(change.tx, after);
    change.after(() => onStored(after));
    change.after(() => void library.dropCrops(before, crops));
    return after;
  };
}

function pickContent(file: StoredFile): FileChange {
  return Object.fromEntries(contentFieldNames.map((name) => [name, file[name]]));
}
