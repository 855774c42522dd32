/** Colours of code: HTML, CSS and JS by their grammars, template tags over them by their delimiters. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';

const style = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.tagName, tags.keyword], color: 'var(--teal)' },
  { tag: [tags.attributeName, tags.propertyName], color: 'var(--slate)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--leaf)' },
  { tag: [tags.number, tags.bool, tags.atom, tags.unit], color: 'var(--brick)' },
  { tag: [tags.className, tags.typeName], color: 'var(--plum)' },
  { tag: [tags.angleBracket, tags.punctuation], color: 'var(--muted)' },
]);

const templateTag = new MatchDecorator({
  regexp: /\{%-?\s*(\w+)?[^%]*?-?%\}|\{\{[^}]*\}\}|\{#[^#]*#\}/g,
  decorate(add, from, to, [text = '', word = '']) {
    if (text.startsWith('{#')) return add(from, to, mark('cm-template-comment'));
    add(from, to, mark(text.startsWith('{{') ? 'cm-template-value' : 'cm-template-tag'));
    if (word !== '') {
      const start = from + text.indexOf(word);
      add(start, start + word.length, mark('cm-template-word'));
    }
  },
});

function mark(name: string): Decoration {
  return Decoration.mark({ class: name });
}

const templateTags = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = templateTag.createDeco(view);
    }
    update(update: ViewUpdate): void {
      this.decorations = templateTag.updateDeco(update, this.decorations);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', backgroundColor: 'var(--surface)', color: 'var(--ink)' },
  '&.cm-focused': { outline: '2px solid var(--teal)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '20px' },
  '.cm-content': { caretColor: 'var(--teal)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--teal)', borderLeftWidth: '2px' },
  '.cm-gutters': {
    backgroundColor: 'var(--paper)',
    color: 'var(--muted)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--teal-tint) 40%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--teal-tint)', color: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--teal) 26%, transparent)',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--teal-tint)', outline: '1px solid var(--teal)' },
  '.cm-template-tag': {
    backgroundColor: 'color-mix(in srgb, var(--plum-tint) 70%, transparent)',
    borderRadius: '2px',
  },
  '.cm-template-tag, .cm-template-tag span': { color: 'var(--plum)' },
  '.cm-template-word, .cm-template-word span': { fontWeight: '600' },
  '.cm-template-value': {
    backgroundColor: 'color-mix(in srgb, var(--ochre-tint) 60%, transparent)',
    borderRadius: '2px',
  },
  '.cm-template-value, .cm-template-value span': { color: 'var(--ochre)' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-template-comment, .cm-template-comment span': { color: 'var(--muted)', fontStyle: 'italic' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line)',
    borderRadius: '4px',
    boxShadow: 'var(--float-shadow)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 8px', color: 'var(--ink)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--teal)',
    color: 'var(--on-color)',
  },
  '.cm-completionDetail': { marginLeft: '12px', fontStyle: 'normal', opacity: 0.8 },
  '.cm-diagnostic': { padding: '6px 12px', fontFamily: 'var(--mantine-font-family)' },
  '.cm-diagnosticAction': {
    backgroundColor: 'var(--teal)',
    color: 'var(--on-color)',
    borderRadius: '4px',
    padding: '2px 8px',
    cursor: 'pointer',
  },
  '.cm-explained': {
    maxWidth: '420px',
    padding: '8px 12px',
    fontFamily: 'var(--mantine-font-family)',
    fontSize: '13px',
    lineHeight: '18px',
    overflowWrap: 'anywhere',
  },
  '.cm-explained code': { fontWeight: '600', color: 'var(--plum)' },
  '.cm-explained p': { margin: '4px 0 0' },
  '.cm-panels': { backgroundColor: 'var(--paper)', color: 'var(--ink)' },
});

export const highlighting = [syntaxHighlighting(style), templateTags, look];
