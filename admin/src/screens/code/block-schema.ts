import type { BlockTypeSchema } from '../../api/generated/schema.ts';

/** A parameter in the schema of a snippet, where most parts may be left out (Core, "Block type schema"). */
export interface SchemaParam {
  readonly name: string;
  readonly label?: string;
  readonly type: string;
  readonly required?: boolean;
  readonly options?: readonly string[];
  readonly collection?: number | null;
  readonly default?: unknown;
  readonly design?: boolean;
}

export interface SchemaSlot {
  readonly name: string;
  readonly label?: string;
  readonly allow?: readonly string[];
  readonly max?: number;
}

export interface BlockSchema {
  readonly block?: boolean;
  readonly label?: string;
  readonly description?: string;
  readonly category?: string;
  readonly params?: readonly SchemaParam[];
  readonly slots?: readonly SchemaSlot[];
}

/** Type boundary: the server checks schemas when it stores them. */
export function toBlockSchema(stored: BlockTypeSchema | null | undefined): BlockSchema | undefined {
  return stored === null || stored === undefined ? undefined : (stored as BlockSchema);
}
