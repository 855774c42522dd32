import { paths } from '../../base/router/paths.ts';
import { globalBlocks } from '../../content/global-blocks.ts';
import { ListScreen } from '../../kit/list/list-screen.tsx';
import { useMedia } from '../../ui/layout/use-media.ts';
import { GlobalEditor } from './global-editor.tsx';

/** Blocks that stand on several pages: a list, beside it the editor. */
export function GlobalBlocksScreen() {
  const hasRoom = useMedia('(min-width: 1600px)');
  return (
    <ListScreen
      resource={globalBlocks}
      title="nav.globals"
      texts="globals"
      filter="globals.filter"
      drafts="global"
      kind="global_block"
      list={paths.globalBlocks()}
      path={({ id }) => paths.globalBlock(id)}
      words={({ name, folder, description }) => `${folder} ${name} ${description}`}
      row={({ name, folder }) => ({ name, folder: folder === '' ? '' : `${folder}/` })}
      isAlone={!hasRoom}
      create={{
        initial: { name: '' },
        fields: ['name'],
        create: (body) => globalBlocks.create(body),
        isReady: ({ name }) => name.trim() !== '',
      }}
      load={(id) => <GlobalEditor id={Number(id)} />}
    />
  );
}
