import { paths } from '../../base/router/paths.ts';
import { slugField } from '../../kit/form/slug.ts';
import { ListScreen } from '../../kit/list/list-screen.tsx';
import { sources } from './queries.ts';
import { SourceEditor } from './source-editor.tsx';

/** Lists that templates read from other servers. */
export function SourcesScreen() {
  return (
    <ListScreen
      resource={sources}
      title="nav.sources"
      texts="sources"
      drafts="source"
      kind="source"
      list={paths.sources()}
      path={({ id }) => paths.source(id)}
      words={({ name, slug }) => `${name} ${slug}`}
      row={({ name, method }) => ({ name, tags: [{ text: method }] })}
      create={{
        initial: { name: '', slug: '', url: 'https://' },
        fields: ['name', slugField, 'url'],
        create: (body) => sources.create(body),
      }}
    >
      {(source) => <SourceEditor source={source} />}
    </ListScreen>
  );
}
