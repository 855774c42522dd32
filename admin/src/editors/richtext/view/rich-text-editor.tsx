import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import 'prosemirror-view/style/prosemirror.css';
import { NodeSelection } from 'prosemirror-state';
import type { Allowed } from '../model/elements.ts';
import type { Format } from '../model/schema.ts';
import { nodeType } from './commands.ts';
import type { ImageChoice } from './image-dialog.tsx';
import { findLink, type LinkTarget, removeLink, setLink } from './link-command.ts';
import { type Looks, readLooks } from './looks.ts';
import { RichEditor } from './rich-editor.ts';
import classes from './rich-text.module.css';
import { Toolbar, type ToolbarActions } from './toolbar.tsx';

const LinkDialog = lazy(async () => ({ default: (await import('./link-dialog.tsx')).LinkDialog }));
const ImageDialog = lazy(async () => ({ default: (await import('./image-dialog.tsx')).ImageDialog }));

export interface RichTextEditorProps {
  readonly label: string;
  readonly value: string;
  readonly format: Format;
  readonly allowed: Allowed;
  readonly describedBy?: string | undefined;
  /** The text gets the focus as soon as it is there. */
  readonly isFocused?: boolean;
  onChange(value: string): void;
  onSource(): void;
}

/** How long a text that is not edited may be behind its value, in milliseconds. */
const followMs = 150;

type OpenDialog =
  | { readonly kind: 'link'; readonly target: LinkTarget }
  | { readonly kind: 'image'; readonly image: ImageChoice | undefined };

/** A text as it looks, with a toolbar of what its field allows. */
export function RichTextEditor(props: RichTextEditorProps) {
  const { label, allowed } = props;
  const [editor, setEditor] = useState<RichEditor>();
  const [host, setHost] = useState<HTMLDivElement | null>(null);
  const [looks, setLooks] = useState<Looks>();
  const [dialog, setDialog] = useState<OpenDialog>();
  const toolbar = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (host === null) return;
    const own: RichEditor = new RichEditor(host, () => ({
      ...latest.current,
      actions: {
        openLink: () => setDialog({ kind: 'link', target: findLink(own.state) }),
        focusToolbar: () => toolbar.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(),
      },
      onState: () => showLooks(own),
    }));
    const showLooks = ({ state }: RichEditor) => {
      const next = readLooks(state, latest.current.allowed.classes);
      // A key that changes nothing in the toolbar does not draw it.
      setLooks((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
    };
    setEditor(own);
    showLooks(own);
    if (latest.current.isFocused === true) own.view.focus();
    return () => own.destroy();
  }, [host]);
  useEffect(() => {
    if (editor === undefined) return;
    // What is typed elsewhere, such as in the page, need not be read with each key.
    const timer = setTimeout(() => editor.follow(props.value), editor.view.hasFocus() ? 0 : followMs);
    return () => clearTimeout(timer);
  }, [editor, props.value]);
  // The same for every key, so that none draws the toolbar.
  const actions = useMemo(
    (): ToolbarActions | undefined =>
      editor && {
        run: (command) => editor.run(command),
        openLink: () => setDialog({ kind: 'link', target: findLink(editor.state) }),
        openImage: () => setDialog({ kind: 'image', image: findImage(editor) }),
        showSource: () => latest.current.onSource(),
        leave: () => editor.view.focus(),
      },
    [editor],
  );
  const close = () => {
    setDialog(undefined);
    editor?.view.focus();
  };
  return (
    <div className={classes['editor']}>
      {actions !== undefined && looks !== undefined && (
        <Toolbar element={toolbar} label={label} allowed={allowed} looks={looks} actions={actions} />
      )}
      <div ref={setHost} className={classes['text']} />
      {editor !== undefined && dialog !== undefined && (
        <Suspense>
          {dialog.kind === 'link' ? (
            <LinkDialog
              target={dialog.target}
              onLink={(href, text) => {
                close();
                editor.run(setLink(dialog.target, href, text));
              }}
              onRemove={() => {
                close();
                editor.run(removeLink(dialog.target));
              }}
              onClose={close}
            />
          ) : (
            <ImageDialog
              image={dialog.image}
              onImage={(image) => {
                close();
                setImage(editor, image);
              }}
              onClose={close}
            />
          )}
        </Suspense>
      )}
    </div>
  );
}

/** The image that is chosen in the text. */
function findImage({ state: { selection } }: RichEditor): ImageChoice | undefined {
  const node = selection instanceof NodeSelection ? selection.node : undefined;
  if (node?.type.name !== 'image') return undefined;
  return { src: String(node.attrs['src']), alt: String(node.attrs['alt'] ?? '') };
}

function setImage(editor: RichEditor, { src, alt }: ImageChoice): void {
  editor.run(({ selection, schema, tr }, dispatch) => {
    const before = selection instanceof NodeSelection ? selection.node.attrs : {};
    dispatch?.(tr.replaceSelectionWith(nodeType(schema, 'image').create({ ...before, src, alt }), false));
    return true;
  });
}
