/** Values in the form in which folders have them: without what is the default anyway. */
import type { FolderFields } from './content.ts';
import { isFields } from './text-file.ts';

type Defaults = Readonly<Record<string, unknown>>;

/** Without the keys that have their default, null or an empty list. */
function without(value: FolderFields, defaults: Defaults): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).filter(([name, part]) => {
      if (part === undefined || (part === null && name in defaults)) return false;
      return !(name in defaults && (part === defaults[name] || (Array.isArray(part) && part.length === 0)));
    }),
  );
}

function mapList(value: unknown, map: (part: FolderFields) => FolderFields): unknown {
  return Array.isArray(value) ? value.map((part: unknown) => (isFields(part) ? map(part) : part)) : value;
}

/** Settings of a field that are absent unless they are set. */
const settings = Object.fromEntries(
  [
    ...['help', 'placeholder', 'group', 'show_if', 'pattern', 'pattern_help', 'min', 'max', 'richtext'],
    ...['classes', 'unique', 'many', 'fields', 'options', 'collection'],
  ].map((name) => [name, undefined]),
);
/** The keys of the definition of a field. */
export const fieldKeys: ReadonlySet<string> = new Set([
  ...['name', 'label', 'type', 'required', 'default'],
  ...Object.keys(settings),
]);

/** The fields of a collection. */
export function toFieldList(fields: unknown): unknown {
  return mapList(fields, (field) => {
    const inner = field['fields'];
    const classes = mapList(field['classes'], (one) => without(one, { label: one['name'] }));
    return without(
      {
        ...field,
        ...(inner === undefined ? {} : { fields: toFieldList(inner) }),
        ...(classes === undefined ? {} : { classes }),
      },
      { ...settings, label: field['name'], required: false, unique: false, many: false },
    );
  });
}

export function toPageLayout(layout: unknown): unknown {
  return isFields(layout) ? without(layout, { label: '', description: '', default: false }) : null;
}

/** Assets of a page or snippet: what they are called is not their own. */
export function toAssetList(assets: unknown): unknown {
  return mapList(assets, ({ name: _name, kind: _kind, ...asset }) => without(asset, { inherit: false }));
}

export function toFlow(flow: unknown): unknown {
  if (!isFields(flow)) return { nodes: [], wires: [] };
  return {
    nodes: mapList(flow['nodes'] ?? [], (node) => {
      const { config, ...rest } = node;
      const hasConfig = isFields(config) && Object.keys(config).length > 0;
      return { ...without(rest, { name: '', x: 0, y: 0 }), ...(hasConfig ? { config } : {}) };
    }),
    wires: mapList(flow['wires'] ?? [], (wire) => without(wire, { out: 0 })),
  };
}

/** The parameters of a custom node. */
export function toNodeParams(params: unknown): unknown {
  return mapList(params, (param) => without(param, { label: '', options: undefined, help: '' }));
}
