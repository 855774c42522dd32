/** Block types: what the schema of a snippet says (Core, "Block type schema"). */
import { type FieldDefinition, type FieldTypeName, fieldTypeNames } from '../fields/definition.ts';
import { type FieldSettings, pickSettings } from '../fields/settings.ts';

export interface BlockParam extends FieldDefinition {
  /** Value of a block that does not set it; null = none. */
  readonly default: unknown;
  readonly design: boolean;
}

export interface BlockSlot {
  /** `default` for the nameless one. */
  readonly name: string;
  readonly label: string;
  /** Block types it takes; empty = all. */
  readonly allow: readonly string[];
  /** Most blocks in it; 0 = unlimited. */
  readonly max: number;
}

/** A schema with all optional parts filled in. */
export interface BlockSchema {
  /** Whether the snippet is offered as block type. */
  readonly block: boolean;
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly category: string;
  readonly params: readonly BlockParam[];
  readonly slots: readonly BlockSlot[];
}

/** A schema as the server stores it, after it was checked. */
interface StoredSchema {
  readonly block?: boolean;
  readonly label?: string;
  readonly description?: string;
  readonly icon?: string;
  readonly category?: string;
  readonly params?: readonly StoredParam[];
  readonly slots?: readonly Partial<BlockSlot>[];
}

/** A parameter as the server stores it. */
type StoredParam = Partial<Omit<BlockParam, 'type' | 'fields'>> & {
  readonly type?: string;
  readonly fields?: readonly StoredParam[] | null;
};

/** None if its type is not known. */
function readParam({ name = '', label, type, ...param }: StoredParam): BlockParam[] {
  const known = fieldTypeNames.find((candidate): candidate is FieldTypeName => candidate === type);
  if (known === undefined) return [];
  return [
    {
      ...pickParamSettings(param),
      ...(known === 'group' ? readGroupParts(param) : {}),
      name,
      label: label || name,
      type: known,
      required: param.required ?? false,
      options: param.options ?? [],
      collection: param.collection ?? null,
      default: param.default ?? null,
      design: param.design ?? false,
    },
  ];
}

function readGroupParts({ fields, many }: StoredParam): Partial<BlockParam> {
  const inner = (fields ?? []).flatMap((field) =>
    readParam(field).map(({ default: _default, design: _design, ...read }) => ({
      ...pickSettings({ default: field.default }),
      ...read,
    })),
  );
  return { fields: inner, ...(many === true ? { many } : {}) };
}

/** The settings of a stored parameter, which is never unique. */
function pickParamSettings(param: Readonly<Record<string, unknown>>): FieldSettings {
  const { unique: _unique, ...settings } = pickSettings(param);
  return settings;
}

/** Reads a stored schema. Type boundary: it was checked when it was saved. */
export function readBlockSchema(stored: unknown): BlockSchema {
  const schema = stored as StoredSchema;
  return {
    block: schema.block ?? false,
    label: schema.label ?? '',
    description: schema.description ?? '',
    icon: schema.icon ?? '',
    category: schema.category ?? '',
    params: (schema.params ?? []).flatMap(readParam),
    slots: (schema.slots ?? []).map(({ name = '', label, allow, max }) => ({
      name,
      label: label || name,
      allow: allow ?? [],
      max: max ?? 0,
    })),
  };
}
