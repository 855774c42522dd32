import { SegmentedControl } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import type { CodeKind, CodeObject } from '../../content/code/code-object.ts';
import type { CreateState } from '../../kit/form/create-dialog.tsx';
import { ListScreen } from '../../kit/list/list-screen.tsx';
import { CodeObjectEditor } from './code-object-editor.tsx';

type Entry = Omit<CodeObject, 'content'>;

interface NewCode {
  readonly name: string;
  readonly kind: 'css' | 'js';
}

/** Objects that are code: a list by folder and name, beside it the editor. */
export function CodeScreen({ kind }: { readonly kind: CodeKind }) {
  const texts = `code.${kind.name}` as const;
  const first: NewCode = { name: '', kind: 'css' };
  return (
    <ListScreen
      key={kind.name}
      resource={kind.resource}
      title={`${texts}.title`}
      texts={texts}
      drafts={kind.name}
      kind={kind.name}
      widthName={kind.name}
      list={kind.path(undefined)}
      path={({ id }) => kind.path(id)}
      words={({ name, folder }) => `${folder} ${name}`}
      row={(object) => ({
        name: baseName(object),
        folder: folderOf(object),
        tags: object.kind === undefined ? [] : [{ text: object.kind }],
      })}
      compare={(left, right) => nameIn(left).localeCompare(nameIn(right))}
      create={{
        initial: first,
        fields: [{ name: 'name', label: 'fields.name', help: `${texts}.nameHelp` }],
        create: kind.create,
        more: kind.name === 'asset' ? (form) => <Language {...form} /> : () => null,
      }}
      load={(id) => <CodeObjectEditor kind={kind} id={Number(id)} />}
    />
  );
}

function Language({ body, onChange }: CreateState<NewCode>) {
  return (
    <SegmentedControl
      aria-label={t('code.language')}
      data={[
        { value: 'css', label: 'CSS' },
        { value: 'js', label: 'JS' },
      ]}
      value={body.kind}
      onChange={(value) => onChange({ kind: value === 'js' ? 'js' : 'css' })}
    />
  );
}

/** Folder and name as one text. A name may begin with its folder. */
function nameIn({ folder, name }: Entry): string {
  return folder === '' || name.startsWith(`${folder}/`) ? name : `${folder}/${name}`;
}

function folderOf(object: Entry): string {
  const whole = nameIn(object);
  const slash = whole.lastIndexOf('/');
  return slash < 0 ? '' : whole.slice(0, slash + 1);
}

function baseName(object: Entry): string {
  return nameIn(object).slice(folderOf(object).length);
}
