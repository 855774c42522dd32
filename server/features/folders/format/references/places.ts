/** Where the fields of objects refer to others: the one description for names in folders and IDs on servers. */
import { findReferringParam } from '../../../../../runtime/blocks/region-param.ts';
import { type BlockParam, readBlockSchema } from '../../../../../runtime/blocks/schema.ts';
import { replaceIds, type TargetField } from '../../../../../runtime/fields/targets.ts';
import { templateFields } from '../../../../../runtime/page/template-name.ts';
import type { FolderFields, FolderKind } from '../content.ts';
import { mapNodes } from '../kinds/workflows.ts';
import { isFields } from '../text-file.ts';
import type { Replace, TargetKind } from './reference-place.ts';
import { replaceInTemplate } from './templates.ts';

/** What else must be known to find the places. Objects are as the fields have them: with names, or with IDs. */
export interface PlaceLookup {
  /** The stored schema of a block type. */
  findSchema(snippet: string): unknown;
  findTree(globalBlock: unknown): unknown;
  /** The `fields` of a collection. */
  findFields(collection: string): unknown;
}

/** The fields of an object with other references; fields without any are the same. */
export function replaceReferences(
  kind: FolderKind,
  fields: FolderFields,
  lookup: PlaceLookup,
  replace: Replace,
): FolderFields {
  const trees = new Trees(lookup, replace);
  const changed = Object.entries(fields).map(([name, value]) => {
    const after = replaceField({ kind, fields, name, lookup, replace, trees }, value);
    return [name, after] as const;
  });
  return Object.fromEntries(changed);
}

interface FieldContext {
  readonly kind: FolderKind;
  readonly fields: FolderFields;
  readonly name: string;
  readonly lookup: PlaceLookup;
  readonly replace: Replace;
  readonly trees: Trees;
}

const singles: Readonly<Record<string, TargetKind>> = {
  og_image_file_id: 'file',
  favicon_file_id: 'file',
  notfound_page_id: 'page',
  detail_page_id: 'page',
};
const templates: Partial<Readonly<Record<FolderKind, readonly string[]>>> = {
  page: templateFields,
  snippet: ['content'],
  pen: ['html'],
};

function replaceField(context: FieldContext, value: unknown): unknown {
  const { kind, name, replace, trees, lookup } = context;
  const single = singles[name];
  if (single !== undefined && (kind === 'page' || kind === 'collection'))
    return value === null ? value : replace(value, { kind: single, field: name, collection: null });
  if (templates[kind]?.includes(name) === true)
    return typeof value === 'string' ? replaceInTemplate(value, name, replace) : value;
  if (name === 'assets') return replaceAssets(value, replace);
  if (name === 'blocks') return trees.tree(value, name);
  if (name.startsWith('regions.')) return replaceRegion(name, value, replace);
  if (kind === 'snippet' && name === 'schema') return replaceSchema(value, replace);
  if (kind === 'collection' && name === 'fields') return replaceDefinitions(value, name, replace);
  if (kind === 'workflow' && name === 'flow') return replaceFlow(value, replace);
  if (kind === 'item' && name.startsWith('data.')) {
    const definitions = toTargetFields(lookup.findFields(String(context.fields['collection'])));
    const field = definitions.find((one) => `data.${one.name}` === name);
    if (field === undefined) return value;
    return field.type === 'blocks' ? trees.tree(value, name) : replaceValue(value, field, name, replace);
  }
  return value;
}

function replaceAssets(value: unknown, replace: Replace): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((asset: unknown) =>
    isFields(asset)
      ? {
          ...asset,
          asset_id: replace(asset['asset_id'], { kind: 'asset', field: 'assets', collection: null }),
        }
      : asset,
  );
}

/** Type boundary: a folder names collections by slugs, which pass through to `replace` as they are. */
function replaceValue(value: unknown, field: TargetField, name: string, replace: Replace): unknown {
  return replaceIds(value, field, (id, { kind, collection }) =>
    id === null || id === undefined ? id : replace(id, { kind, field: name, collection }),
  );
}

/** Only images are numbers and only links are objects; in a folder an image is `{image: …}`. */
function replaceRegion(name: string, value: unknown, replace: Replace): unknown {
  const place = { kind: 'file', field: name, collection: null } as const;
  if (isFields(value) && Object.hasOwn(value, 'image')) return replace(value['image'], place);
  if (typeof value === 'number') {
    const named = replace(value, place);
    return named === value ? value : { image: named };
  }
  const param = findReferringParam(name, value);
  return param === undefined ? value : replaceValue(value, param, name, replace);
}

/** The parameters of a block type: their collections, and what their default values name. */
function replaceSchema(value: unknown, replace: Replace): unknown {
  if (!isFields(value)) return value;
  const params = replaceDefinitions(value['params'], 'schema', replace);
  return params === undefined ? value : { ...value, params };
}

function replaceDefinitions(value: unknown, name: string, replace: Replace): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((definition: unknown) => {
    if (!isFields(definition)) return definition;
    const { collection = null, default: initial = null, fields } = definition;
    const [field] = toTargetFields([definition]);
    return {
      ...definition,
      ...(collection === null
        ? {}
        : { collection: replace(collection, { kind: 'collection', field: name, collection: null }) }),
      ...(fields === undefined ? {} : { fields: replaceDefinitions(fields, name, replace) }),
      ...(initial === null || field === undefined
        ? {}
        : { default: replaceValue(initial, field, name, replace) }),
    };
  });
}

/** Nodes that name an entry by its ID; in a folder by `{entry: "<collection>/<name>"}`. */
function replaceFlow(value: unknown, replace: Replace): unknown {
  return mapNodes(value, (node) => {
    const config = node['config'];
    if (node['type'] !== 'collection' || !isFields(config)) return node;
    const { id } = config;
    const place = { kind: 'item', field: 'flow', collection: null } as const;
    if (isFields(id) && Object.hasOwn(id, 'entry'))
      return { ...node, config: { ...config, id: replace(id['entry'], place) } };
    if (!/^[1-9]\d{0,14}$/.test(String(id))) return node;
    const named = replace(Number(id), place);
    return named === Number(id) ? node : { ...node, config: { ...config, id: { entry: named } } };
  });
}

/** Definitions of fields or parameters, as far as they can be read. */
function toTargetFields(fields: unknown): readonly BlockParam[] {
  try {
    return readBlockSchema({ params: Array.isArray(fields) ? fields.filter(isFields) : [] }).params;
  } catch {
    return [];
  }
}

class Trees {
  readonly #lookup: PlaceLookup;
  readonly #replace: Replace;

  constructor(lookup: PlaceLookup, replace: Replace) {
    this.#lookup = lookup;
    this.#replace = replace;
  }

  tree(value: unknown, field: string): unknown {
    if (!Array.isArray(value)) return value;
    return value.map((block: unknown) => (isFields(block) ? this.#block(block, field) : block));
  }

  #block(block: FolderFields, field: string): FolderFields {
    if (Object.hasOwn(block, 'global')) return this.#reference(block, field);
    const { type, params, slots } = block;
    return {
      ...block,
      ...(params === undefined ? {} : { params: this.#values(params, String(type), field) }),
      ...(isFields(slots)
        ? {
            slots: Object.fromEntries(
              Object.entries(slots).map(([name, inner]) => [name, this.tree(inner, field)]),
            ),
          }
        : {}),
    };
  }

  #values(values: unknown, type: string, field: string): unknown {
    if (!isFields(values)) return values;
    const schema = this.#lookup.findSchema(type);
    const params = new Map(
      toTargetFields(isFields(schema) ? schema['params'] : []).map((param) => [param.name, param]),
    );
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        const param = params.get(name);
        if (param === undefined) return [name, value];
        if (param.type === 'blocks') return [name, this.tree(value, field)];
        return [name, replaceValue(value, param, field, this.#replace)];
      }),
    );
  }

  #reference(block: FolderFields, field: string): FolderFields {
    const { global, overrides } = block;
    const types = isFields(overrides) ? this.#typesIn(this.#lookup.findTree(global)) : new Map();
    return {
      ...block,
      global: this.#replace(global, { kind: 'global_block', field, collection: null }),
      ...(isFields(overrides)
        ? {
            overrides: Object.fromEntries(
              Object.entries(overrides).map(([id, values]) => [
                id,
                this.#values(values, types.get(id) ?? '', field),
              ]),
            ),
          }
        : {}),
    };
  }

  #typesIn(tree: unknown, types = new Map<string, string>()): ReadonlyMap<string, string> {
    for (const block of Array.isArray(tree) ? (tree as readonly unknown[]) : []) {
      if (!isFields(block)) continue;
      types.set(String(block['id']), String(block['type']));
      const slots = block['slots'];
      if (isFields(slots)) for (const inner of Object.values(slots)) this.#typesIn(inner, types);
    }
    return types;
  }
}
