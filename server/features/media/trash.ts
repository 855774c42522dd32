import type { KindTrash } from '../../content/kinds/trash/declaration.ts';
import { folders } from './folders/store.ts';
import type { MediaLibrary } from './library.ts';
import type { StoredFile } from './model.ts';
import * as store from './store.ts';

/** Files that come back from the trash. Their bytes stay in the storage as long as they are there. */
export function fileTrash(
  library: Pick<MediaLibrary, 'drop'>,
  onStored: (file: StoredFile) => void,
): KindTrash<StoredFile> {
  return {
    contentOf: ({ content, size }) => ({ content, bytes: size }),
    async beforeRestore({ tx }, { id, path, folder_id: folder }, names) {
      const [, base = '', extension = ''] = /^(.*)(\.[^.]*)$/.exec(path) ?? [];
      const free = await names.claim({
        what: 'path',
        name: path,
        async findHolder(wanted) {
          const holder = await store.findFileByPath(tx, wanted);
          return holder === undefined ? undefined : { kind: 'file', id: holder.id };
        },
        next: (number) => `${base}-${number}${extension}`,
      });
      const hasFolder = folder === 0 || (await folders.find(tx, folder)) !== undefined;
      return {
        files: (row) =>
          row['id'] === id ? { ...row, path: free, ...(hasFolder ? {} : { folder_id: 0 }) } : row,
      };
    },
    /** Variants that were not written before the deletion are written now. */
    async afterRestore({ tx, after }, id) {
      const file = await store.files.find(tx, id);
      if (file?.variants === 'pending') after(() => onStored(file));
    },
    forget({ after }, deleted) {
      const crops = deleted('file_crops');
      for (const row of deleted('files')) {
        const file = store.toFile(row);
        const ofFile = crops.filter(({ content }) => content === file.content);
        after(
          () =>
            void library.drop(
              file,
              ofFile.map(({ name }) => ({ name: String(name) })),
            ),
        );
      }
    },
  };
}
