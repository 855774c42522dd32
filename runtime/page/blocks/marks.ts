import type { BlockType } from '../../blocks/block-type.ts';
import { fieldFamily, MarkFamily, structureFamily } from '../../blocks/mark-text.ts';
import { originOf } from '../../blocks/origins.ts';
import type { BlockMarker, PreparedBlock } from '../../engine/block-source.ts';
import type { FileValue } from '../../files/file-value.ts';
import { SafeString } from '../../values/safe.ts';
import { finishMarks } from './finish-marks.ts';
import type { Mark } from './mark.ts';

/** The block whose template runs. */
interface Frame {
  readonly path: string;
  readonly params: readonly string[];
  /** Parameters by the ID of their image. */
  readonly images: ReadonlyMap<unknown, string> | undefined;
}

/**
 * The marks of one preview (Core, "Rendering of blocks"). While templates run they are invisible characters;
 * `finish` puts comments and attributes in their places.
 */
export class PreviewMarks implements BlockMarker {
  readonly #fields = new MarkFamily(fieldFamily.lead, fieldFamily.first);
  readonly #structure = new MarkFamily(structureFamily.lead, structureFamily.first);
  readonly #marks: Mark[] = [];
  readonly #frames: Frame[] = [];
  readonly #pageTree: unknown;
  readonly #fieldsOf: (block: PreparedBlock) => BlockType['marks'];

  /** @param pageTree the tree of the page itself @param fieldsOf how the parameters of a block are marked */
  constructor(pageTree: unknown, fieldsOf: (block: PreparedBlock) => BlockType['marks']) {
    this.#pageTree = pageTree;
    this.#fieldsOf = fieldsOf;
  }

  originOf(tree: unknown): string {
    return tree === this.#pageTree ? 'page.blocks' : (originOf(tree) ?? 'blocks');
  }

  list(origin: string, output: string): string {
    return `${this.#comment(`ic-blocks:${origin}`)}${output}${this.#comment(`/ic-blocks:${origin}`)}`;
  }

  block(path: string, block: unknown, output: string): string {
    const { id, type, global } = Object(block);
    const shownId = named(id);
    const what = global === undefined || global === null ? named(type) : `global:${named(global)}`;
    return `${this.#comment(`ic-block:${path}:${shownId}:${what}`)}${output}${this.#comment(`/ic-block:${shownId}`)}`;
  }

  slotPath(path: string, name: string): string {
    return `${path}/slots/${named(name)}`;
  }

  slotOpen(path: string): string {
    return this.#comment(`ic-slot:${path}`);
  }

  slotClose(path: string): string {
    return this.#comment(`/ic-slot:${path}`);
  }

  entered(path: string, block: PreparedBlock): readonly unknown[] {
    const { params } = block.type;
    let images: Map<unknown, string> | undefined;
    const kinds = this.#fieldsOf(block);
    const values = block.values.map((value, index) => {
      const name = params[index] ?? '';
      const kind = kinds[index];
      if (kind === 'text') return this.#markedText(value, `${path}/${name}`);
      if (kind !== 'image' || !isFile(value)) return value;
      images ??= new Map();
      if (!images.has(value.id)) images.set(value.id, name);
      return withUrl(value, this.#imageMark(`${path}/${name}`));
    });
    this.#frames.push({ path, params, images });
    return values;
  }

  left(): void {
    this.#frames.pop();
  }

  /** `block_field(name)`: the attribute for a parameter of the block whose template runs; empty elsewhere. */
  attribute(name: string): string {
    const frame = this.#frames.at(-1);
    if (frame === undefined || !frame.params.includes(name)) return '';
    return this.#structure.mark(this.#marks.push({ kind: 'attribute', field: `${frame.path}/${name}` }) - 1);
  }

  /** An image with a mark in its address if it is a parameter of the block whose template runs. */
  image(file: FileValue): FileValue {
    const frame = this.#frames.at(-1);
    const name = frame?.images?.get(file.id);
    if (frame === undefined || name === undefined) return file;
    return withUrl(file, this.#imageMark(`${frame.path}/${name}`));
  }

  /** The output with comments and attributes in the places of the marks. */
  finish(html: string): string {
    return finishMarks(html, this.#marks, { fields: this.#fields, structure: this.#structure });
  }

  #comment(text: string): string {
    return this.#structure.mark(this.#marks.push({ kind: 'comment', text }) - 1);
  }

  #imageMark(field: string): string {
    return this.#fields.mark(this.#marks.push({ kind: 'image', field }) - 1);
  }

  #markedText(value: unknown, field: string): unknown {
    if (value instanceof SafeString) return new SafeString(this.#around(value.value, field, value));
    return typeof value !== 'string' || value === '' ? value : this.#around(value, field, value);
  }

  #around(text: string, field: string, value: string | SafeString): string {
    const begin = this.#marks.push({ kind: 'value', field, value }, end) - 2;
    return this.#fields.mark(begin) + text + this.#fields.mark(begin + 1);
  }
}

const end: Mark = { kind: 'end' };

/** A name from a tree as part of a comment: trees of previews are not checked. */
function named(value: unknown): string {
  const text = String(value ?? '');
  if (/^[A-Za-z0-9_./-]*$/.test(text)) return text;
  return text.replace(/[^A-Za-z0-9_./-]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}

function isFile(value: unknown): value is FileValue {
  return typeof value === 'object' && value !== null && 'url' in value && 'id' in value;
}

function withUrl(file: FileValue, mark: string): FileValue {
  return Object.assign(Object.create(null), file, { url: mark + file.url });
}
