import type { ExtdbColumn, ExtdbTable } from '../../model.ts';
import { listIn, recordIn, textIn } from '../reading.ts';

/** The OpenAPI description of PostgREST, as far as it tells of tables. */
export interface Description {
  readonly version: string;
  readonly tables: readonly Omit<ExtdbTable, 'ref' | 'public_read'>[];
  readonly columns: ReadonlyMap<string, readonly ExtdbColumn[]>;
}

/** Whether a body is the description that PostgREST gives at its root. */
export function isDescription(body: unknown): boolean {
  return (
    textIn(body, 'swagger').startsWith('2') && 'definitions' in recordIn(body) && 'paths' in recordIn(body)
  );
}

export function readDescription(body: unknown): Description {
  const { definitions, paths, info } = recordIn(body);
  const readable = Object.entries(recordIn(paths))
    .filter(([path, item]) => path !== '/' && !path.startsWith('/rpc/') && 'get' in recordIn(item))
    .map(([path]) => path.slice(1));
  const columns = new Map(readable.map((name) => [name, columnsOf(recordIn(definitions)[name])] as const));
  return {
    version: textIn(info, 'version'),
    columns,
    tables: readable
      .filter((name) => !isJunction(recordIn(definitions)[name]))
      .map((name) => ({ id: name, name, schema: '', source: '', source_id: '' })),
  };
}

function columnsOf(definition: unknown): ExtdbColumn[] {
  const required = new Set(listIn(recordIn(definition)['required']));
  return Object.entries(recordIn(recordIn(definition)['properties'])).map(([name, property]) => ({
    name,
    ui_type: textIn(property, 'format') || textIn(property, 'type'),
    field_kind: isForeignKey(property) ? 'relation' : 'value',
    primary_key: isPrimaryKey(property),
    nullable: !required.has(name),
  }));
}

/** A table of nothing but foreign keys which are its primary key links two tables. */
function isJunction(definition: unknown): boolean {
  const properties = Object.values(recordIn(recordIn(definition)['properties']));
  return properties.length >= 2 && properties.every((one) => isPrimaryKey(one) && isForeignKey(one));
}

/** PostgREST marks keys in the descriptions of columns. */
function isPrimaryKey(property: unknown): boolean {
  return textIn(property, 'description').includes('<pk/>');
}

function isForeignKey(property: unknown): boolean {
  return textIn(property, 'description').includes('<fk table=');
}
