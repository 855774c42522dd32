import { t } from '../../base/i18n/index.ts';
import { paths } from '../../base/router/paths.ts';
import { ListScreen } from '../../kit/list/list-screen.tsx';
import { PenEditor } from './pen-editor.tsx';
import { pens } from './queries.ts';

/** Playgrounds of HTML, CSS and JS: a list, beside it the editor. */
export function PensScreen() {
  return (
    <ListScreen
      resource={pens}
      title="nav.pens"
      texts="pens"
      drafts="pen"
      list={paths.pens()}
      path={({ uuid }) => paths.pen(uuid)}
      param="ref"
      // Whoever knows the ID alone finds the pen too.
      isNamed={({ uuid, id }, ref) => uuid === ref || String(id) === ref}
      words={({ title }) => title}
      row={(pen) => ({
        name: pen.title || t('pens.untitled'),
        tags: pen.public ? [{ text: t('pens.isPublic') }] : [],
      })}
      create={{
        initial: { title: '' },
        fields: ['title'],
        create: (body) => pens.create(body),
        isReady: ({ title }) => title.trim() !== '',
      }}
    >
      {(pen) => <PenEditor pen={pen} />}
    </ListScreen>
  );
}
