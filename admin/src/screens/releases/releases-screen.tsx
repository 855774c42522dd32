import type { ChangeSet } from '../../api/generated/schema.ts';
import { paths } from '../../base/router/paths.ts';
import { changeSets } from '../../content/releases/releases.ts';
import { ListScreen } from '../../kit/list/list-screen.tsx';
import { listTags } from '../../kit/releases/texts.ts';
import { releases } from './queries.ts';
import { Release } from './release.tsx';

/** Changes that are prepared together and go live at once. */
export function ReleasesScreen() {
  return (
    <ListScreen
      resource={releases}
      title="nav.releases"
      texts="releases"
      list={paths.releases()}
      path={({ id }) => paths.release(id)}
      words={({ name, note, author }) => `${name} ${note} ${author}`}
      row={(release: ChangeSet) => ({ name: release.name, tags: listTags(release), count: release.items })}
      isInviting
      create={{
        initial: { name: '', note: '' },
        fields: ['name', { name: 'note', label: 'releases.note', isOptional: true }],
        create: (body) => changeSets.create(body),
        isReady: ({ name }) => name.trim() !== '',
      }}
    >
      {(release) => <Release release={release} />}
    </ListScreen>
  );
}
