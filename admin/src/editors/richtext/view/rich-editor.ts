/** The editor of a value: a view of the page, and what the toolbar shows of it. */
import { type Node, Slice } from 'prosemirror-model';
import { type Command, EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { cleanPaste } from '../model/clean-paste.ts';
import type { Allowed } from '../model/elements.ts';
import { type RichText, readRichText } from '../model/rich-text.ts';
import { type Format, schemas } from '../model/schema.ts';
import { createPlugins, type EditorActions } from './plugins.ts';

export interface RichEditorOptions {
  readonly label: string;
  readonly value: string;
  readonly format: Format;
  readonly allowed: Allowed;
  /** IDs of elements that describe the text. */
  readonly describedBy?: string | undefined;
  readonly actions: EditorActions;
  onChange(value: string): void;
  /** After each change of the text or of what is chosen in it. */
  onState(): void;
}

export class RichEditor {
  readonly view: EditorView;
  readonly #options: () => RichEditorOptions;
  #value: string;
  #text: RichText;

  constructor(host: HTMLElement, options: () => RichEditorOptions) {
    this.#options = options;
    const { value, format } = options();
    this.#value = value;
    this.#text = readRichText(value, format);
    this.view = new EditorView(host, {
      state: this.#createState(),
      attributes: () => this.#attributes(),
      transformPastedHTML: (html) => cleanPaste(html, options().allowed),
      clipboardTextParser: (text, _context, isPlain) => this.#readText(text, isPlain),
      handlePaste: (_view, event) => this.#pasteLink(event),
      dispatchTransaction: (transaction) => {
        this.view.updateState(this.view.state.apply(transaction));
        if (transaction.docChanged) this.#tell();
        options().onState();
      },
    });
  }

  get state(): EditorState {
    return this.view.state;
  }

  /** Another value from outside: undo of the page, a draft, the source. */
  follow(value: string): void {
    if (value === this.#value) return;
    this.#value = value;
    this.#text = readRichText(value, this.#options().format);
    this.view.updateState(this.#createState());
    this.#options().onState();
  }

  run(command: Command): void {
    command(this.view.state, this.view.dispatch, this.view);
    this.view.focus();
  }

  destroy(): void {
    this.view.destroy();
  }

  #createState(): EditorState {
    const { format, allowed } = this.#options();
    const schema = schemas[format];
    return EditorState.create({
      doc: this.#text.doc,
      plugins: createPlugins(schema, allowed, () => this.#options().actions),
    });
  }

  #attributes(): Record<string, string> {
    const { label, describedBy } = this.#options();
    return {
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-label': label,
      ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
    };
  }

  #tell(): void {
    this.#value = this.#text.write(this.view.state.doc);
    this.#options().onChange(this.#value);
  }

  /** Text in a field of Markdown is Markdown. */
  #readText(text: string, isPlain: boolean): Slice {
    const { format } = this.#options();
    const schema = schemas[format];
    if (format === 'markdown' && !isPlain) {
      const { doc } = readRichText(text, format);
      return new Slice(doc.content, ...openEnds(doc));
    }
    const lines = text.split(/(?:\r\n?|\n)+/).filter((line) => line !== '');
    const texts = lines.map((line) => schema.node('paragraph', null, schema.text(line)));
    return Slice.maxOpen(
      schema.node('doc', null, texts.length === 0 ? [schema.node('paragraph')] : texts).content,
    );
  }

  /** An address that is pasted over words is where they lead. */
  #pasteLink(event: ClipboardEvent): boolean {
    const { selection, schema } = this.view.state;
    const address = event.clipboardData?.getData('text/plain').trim() ?? '';
    const isLink = this.#options().allowed.elements.has('link') && /^https?:\/\/\S+$/.test(address);
    if (selection.empty || !isLink) return false;
    const link = schema.mark('link', { href: address });
    this.view.dispatch(this.view.state.tr.addMark(selection.from, selection.to, link));
    return true;
  }
}

/** The first and last text of what is pasted join those around it. */
function openEnds({ firstChild, lastChild }: Node): [number, number] {
  return [firstChild?.type.name === 'paragraph' ? 1 : 0, lastChild?.type.name === 'paragraph' ? 1 : 0];
}
