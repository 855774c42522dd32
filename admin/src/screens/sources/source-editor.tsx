import { useState, useSyncExternalStore } from 'react';
import { toRecord } from '../../api/failure.ts';
import * as forms from '../../api/generated/forms.ts';
import { t } from '../../base/i18n/index.ts';
import { paths } from '../../base/router/paths.ts';
import { EditorFrame } from '../../editing/frame/editor-frame.tsx';
import { type Editor, useEditor } from '../../editing/use-editor.ts';
import { useForm } from '../../editing/use-form.ts';
import { deleteCommand } from '../../kit/delete/delete-command.tsx';
import { type InputProps, LongText } from '../../kit/form/field-input.tsx';
import { SchemaForm } from '../../kit/form/schema-form.tsx';
import { headerText, parseHeaders } from './header-text.ts';
import { type Source, sources } from './queries.ts';
import { TestConsole } from './test-console.tsx';

/** A source with its test. */
export function SourceEditor({ source }: { readonly source: Source }) {
  const editor = useEditor<Source>({
    release: { kind: 'source', path: `/sources/${source.id}` },
    kind: 'source',
    id: source.id,
    value: source,
    save: { id: 'source.save', label: 'sources.save' },
    requests: (store) => ({
      send: ({ base_updated_at: _base, ...fields }) =>
        sources.update(store.base.id, withHeaders(store, fields)),
      load: async () => store.base,
    }),
  });
  return editor === undefined ? null : <OpenSource editor={editor} />;
}

/** Another address loses the headers unless they are sent with it, and the form shows them beside it. */
function withHeaders({ base }: { readonly base: Source }, fields: Partial<Source>): Partial<Source> {
  return fields.url === undefined ? fields : { headers: base.headers, ...fields };
}

function OpenSource({ editor }: { readonly editor: Editor<Source> }) {
  const { store } = editor;
  const { id, name } = useSyncExternalStore(store.subscribe, () => store.base);
  return (
    <EditorFrame
      editor={editor}
      title={name}
      back={{ name: t('nav.sources'), path: paths.sources() }}
      gone={t('sources.missing')}
      deletion={deleteCommand(sources, id, { label: 'sources.delete', name, list: paths.sources() })}
    >
      <div className="body">
        <div className="form">
          <SchemaForm
            schema={forms.SourceUpdate}
            texts="sources"
            layout={[
              ['name', 'slug'],
              { narrow: 'method', wide: 'url' },
              'headers',
              { if: ({ method }) => method === 'POST', show: ['body'] },
              ['list_path', 'cache_ttl', 'timeout'],
            ]}
            inputs={{ headers: Headers, body: LongText }}
            {...useForm(store)}
          />
        </div>
        <h2>{t('sources.test')}</h2>
        <TestConsole store={store} />
      </div>
    </EditorFrame>
  );
}

/** What is typed stays as it is, also where a line is no header yet. */
function Headers(props: InputProps) {
  const [written, setWritten] = useState(() => headerText(toRecord(props.value)));
  return (
    <LongText
      {...props}
      value={written}
      onChange={(value) => {
        setWritten(String(value));
        props.onChange(parseHeaders(String(value)));
      }}
    />
  );
}
