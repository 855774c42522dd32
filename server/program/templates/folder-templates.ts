/** Findings of the compiler about the templates of a folder, with places in its files. */

import {
  type ContentLookup,
  Engine,
  findingLevels,
  type TemplateCode,
  type TemplateError,
} from '../../../runtime/engine.ts';
import type { FieldTypeName } from '../../../runtime/fields/definition.ts';
import { fieldTypes } from '../../../runtime/fields/types.ts';
import { pageGlobals, templateFunctions } from '../../../runtime/functions/index.ts';
import { systemObjects } from '../../../runtime/page/system-objects.ts';
import { pageTemplateName, templateFields } from '../../../runtime/page/template-name.ts';
import type { FolderContent, FolderFinding, FolderObject } from '../../features/folders/format/content.ts';
import { toPagePath } from '../../features/folders/format/kinds/pages.ts';

/** A template of an object. */
export interface FolderTemplate {
  /** As the compiler calls it: the name of the snippet, or the path of the page. */
  readonly name: string;
  readonly field: string;
  readonly source: string;
  readonly isPage: boolean;
  readonly isBlockType: boolean;
}

/** The templates of an object; none if its kind has none. */
export function listTemplates(object: FolderObject): readonly FolderTemplate[] {
  const { kind, key, fields } = object;
  if (kind === 'snippet') {
    const { schema } = fields;
    const isBlockType =
      typeof schema === 'object' && schema !== null && 'block' in schema && schema.block === true;
    const name = String(fields['name']);
    return [{ name, field: 'content', source: textIn(fields['content']), isPage: false, isBlockType }];
  }
  if (kind !== 'page') return [];
  const path = toPagePath(key);
  return templateFields.flatMap((field) => {
    const source = textIn(fields[field]);
    if (source === '' && field !== 'html') return [];
    return { name: pageTemplateName(path, field), field, source, isPage: true, isBlockType: false };
  });
}

/** Checks the templates of a folder. Its content may be replaced as files change. */
export class FolderTemplates {
  readonly #engine: Engine;
  #world: FolderWorld;

  constructor(content: FolderContent) {
    this.#world = new FolderWorld(content);
    this.#engine = new Engine({
      load: (name) => this.#world.snippets.get(name),
      functions: templateFunctions,
      globals: pageGlobals,
    });
  }

  /** The compiler keeps what it knows of snippets that are the same. */
  replace(content: FolderContent): void {
    this.#world = new FolderWorld(content);
    this.#engine.invalidate();
  }

  get world(): FolderWorld {
    return this.#world;
  }

  /** Findings about the templates of an object. */
  inspect(object: FolderObject): readonly FolderFinding[] {
    return listTemplates(object).flatMap((template) => this.#inspect(object, template));
  }

  #inspect(object: FolderObject, { name, field, source, isPage, isBlockType }: FolderTemplate) {
    const { mistakes, findings } = this.#engine.inspect(source, name, {
      ...this.#world.lookup,
      isPage,
      isBlockType,
    });
    const told: [TemplateCode, TemplateError][] = [
      ...mistakes.map((error): [TemplateCode, TemplateError] => ['template.syntax', error]),
      ...findings.map(({ code, error }): [TemplateCode, TemplateError] => [code, error]),
    ];
    return told
      .filter(([, { template }]) => template === name)
      .map(
        ([code, error]): FolderFinding => ({
          ...locate(object, field, source, error),
          level: findingLevels[code],
          code,
          message: error.reason,
        }),
      );
  }
}

/** The place in a file of a line and column in a text field. */
function locate(
  { places, files }: FolderObject,
  field: string,
  source: string,
  at: Pick<TemplateError, 'line' | 'column'>,
) {
  const place = places[field] ?? { file: files[0] ?? '', line: 1, column: 1 };
  const { file } = place;
  if (field === 'html' || field === 'content')
    return {
      file,
      line: place.line + at.line - 1,
      column: at.line === 1 ? place.column + at.column - 1 : at.column,
    };
  // In front matter a text of several lines stands below its key, indented; one of one line stands behind it.
  if (source.includes('\n')) return { file, line: place.line + at.line, column: at.column + 2 };
  const quote = needsQuote.test(source) ? 1 : 0;
  return { file, line: place.line, column: place.column + field.length + 1 + quote + at.column };
}

/** Texts that YAML reads as something else without quotes. */
const needsQuote = /^[{[&*!|>%@`"'#,?-]|: | #/;

/** What templates may name: snippets, collections and their fields. */
export class FolderWorld {
  /** Sources of the snippets by name. */
  readonly snippets: ReadonlyMap<string, string>;
  /** Objects of the snippets by name. */
  readonly snippetObjects: ReadonlyMap<string, FolderObject>;
  readonly collections: ReadonlyMap<string, FolderCollection>;
  readonly sources: ReadonlySet<string>;
  readonly content: FolderContent;

  constructor(content: FolderContent) {
    this.content = content;
    const objects = [...content.objects.values()];
    const named = objects.filter(({ kind }) => kind === 'snippet');
    this.snippetObjects = new Map(named.map((object) => [String(object.fields['name']), object]));
    this.snippets = new Map(named.map(({ fields }) => [String(fields['name']), textIn(fields['content'])]));
    this.collections = new Map(
      objects
        .filter(({ kind }) => kind === 'collection')
        .map(({ fields }) => [String(fields['slug']), toCollection(fields)]),
    );
    this.sources = new Set(
      objects.filter(({ kind }) => kind === 'source').map(({ fields }) => String(fields['slug'])),
    );
  }

  /** References to files, assets and pages are checked where the folder is read. */
  get lookup(): ContentLookup {
    const { snippets, collections, sources } = this;
    const fieldOf = (slug: string, name: string) =>
      collections.get(slug)?.fields.find((field) => field.name === name);
    return {
      hasSnippet: (name) => snippets.has(name),
      snippetNames: () => snippets.keys(),
      hasAsset: () => true,
      fieldsOf(slug) {
        const collection = collections.get(slug);
        if (collection === undefined) return sources.has(slug) ? 'any' : undefined;
        return new Set(collection.fields.map(({ name }) => name));
      },
      linkOf(slug, name) {
        const field = fieldOf(slug, name);
        if (field === undefined || field.collection === null || !collections.has(field.collection))
          return undefined;
        return { slug: field.collection, isList: fieldTypes[field.type].compares === 'ids' };
      },
      fileFunctionOf(slug, name) {
        const type = fieldOf(slug, name)?.type;
        return type === 'image' || type === 'file' ? type : undefined;
      },
      isLive: (slug) => collections.get(slug)?.isLive === true,
      system: systemObjects,
    };
  }
}

export interface FolderCollection {
  readonly isLive: boolean;
  readonly fields: readonly {
    readonly name: string;
    readonly label: string;
    readonly type: FieldTypeName;
    readonly collection: string | null;
  }[];
}

function toCollection(fields: FolderObject['fields']): FolderCollection {
  const list: readonly unknown[] = Array.isArray(fields['fields']) ? fields['fields'] : [];
  return {
    isLive: fields['live'] === true,
    fields: list.flatMap((field) => {
      if (typeof field !== 'object' || field === null || !('name' in field) || !('type' in field)) return [];
      const type = String(field.type);
      if (!isFieldType(type)) return [];
      const collection =
        'collection' in field && typeof field.collection === 'string' ? field.collection : null;
      const label = 'label' in field ? textIn(field.label) : '';
      return { name: String(field.name), label, type, collection };
    }),
  };
}

function isFieldType(name: string): name is FieldTypeName {
  return Object.hasOwn(fieldTypes, name);
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
