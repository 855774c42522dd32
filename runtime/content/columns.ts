/**
 * The columns of stored tables, each declared once. Row types, the lists of names in queries, and the
 * conversion between cells and fields all come from a table of columns such as
 *
 *     { id: 'integer', title: 'text', kind: ['css', 'js'], published: 'flag', schema: 'json?' }
 *
 * A list names all values that a column may hold, a `?` marks a column that may be NULL. Flags are stored as
 * 0 or 1, JSON as text.
 */

type PlainType = 'integer' | 'text' | 'flag' | 'json';
type Choice = readonly string[] | readonly number[];
export type ColumnType = PlainType | `${PlainType}?` | Choice;
export type Columns = Readonly<Record<string, ColumnType>>;

/** The columns that a record type needs: a table of columns that differs from it does not compile. */
export type ColumnsOf<RecordType> = { readonly [Name in keyof RecordType]-?: ColumnTypeOf<RecordType[Name]> };

type ColumnTypeOf<Value> = null extends Value
  ? `${PlainTypeOf<NonNullable<Value>> & PlainType}?`
  : PlainTypeOf<Value>;
type PlainTypeOf<Value> = [Value] extends [boolean]
  ? 'flag'
  : [Value] extends [number]
    ? number extends Value
      ? 'integer'
      : readonly Value[]
    : [Value] extends [string]
      ? string extends Value
        ? 'text'
        : readonly Value[]
      : 'json';

/** The type of the cells that the database holds in a column. */
export type CellOf<Type extends ColumnType> = Type extends `${infer Plain extends PlainType}?`
  ? CellOf<Plain> | null
  : Type extends Choice
    ? Type[number]
    : Type extends 'integer' | 'flag'
      ? number
      : string;

/** The type of the fields of a column. JSON is unknown; the code that reads it gives it a type. */
export type FieldOf<Type extends ColumnType> = Type extends `${infer Plain extends PlainType}?`
  ? FieldOf<Plain> | null
  : Type extends 'flag'
    ? boolean
    : Type extends 'json'
      ? unknown
      : CellOf<Type>;

export type CellsOf<Table extends Columns> = { -readonly [Name in keyof Table]: CellOf<Table[Name]> };
export type FieldsOf<Table extends Columns> = { readonly [Name in keyof Table]: FieldOf<Table[Name]> };

/** Names of columns in the order of their table, as queries select them. */
export function columnNames<Table extends Columns>(columns: Table): (keyof Table & string)[] {
  return Object.keys(columns);
}

/** Conversion between the cells and fields of one type of column. */
interface Codec {
  /** The field that a cell stands for; undefined for a cell that the column cannot hold. */
  read(cell: unknown): unknown;
  /** The cell that a field is stored as. */
  write(field: unknown): unknown;
  /** Whether `write` makes such cells. `read` takes more, because a database may hold what older programs wrote. */
  writes(cell: unknown): boolean;
  /** Whether cells and fields differ. */
  readonly converts: boolean;
}

export function getCodec(type: ColumnType): Codec {
  if (typeof type !== 'string') return choiceCodec(type);
  return type.endsWith('?') ? nullable(plainCodec(type.slice(0, -1))) : plainCodec(type);
}

/**
 * Makes a function that reads rows, which are lists of cells in the order of `names`.
 *
 * That function throws a TypeError for a cell that its column cannot hold.
 */
export function rowReader<Table extends Columns, Name extends keyof Table & string>(
  columns: Table,
  names: readonly Name[],
): (row: readonly unknown[]) => Pick<FieldsOf<Table>, Name> {
  const codecs = names.map((name) => [name, getCodec(columns[name] ?? 'text')] as const);
  return (row) => {
    const fields: Record<string, unknown> = {};
    let index = 0;
    for (const [name, codec] of codecs) {
      const cell = row[index++];
      const field = codec.read(cell);
      if (field === undefined) throw new TypeError(`the column ${name} cannot hold ${String(cell)}`);
      fields[name] = field;
    }
    // Each cell has been checked, so the record has the type that is made from its columns.
    return fields as Pick<FieldsOf<Table>, Name>;
  };
}

const codecs: Readonly<Record<PlainType, Codec>> = {
  integer: sameWhere((cell) => typeof cell === 'number'),
  text: sameWhere((cell) => typeof cell === 'string'),
  flag: {
    read: (cell) => (typeof cell === 'number' ? cell !== 0 : undefined),
    write: Number,
    writes: (cell) => cell === 0 || cell === 1,
    converts: true,
  },
  json: {
    read: (cell) => (typeof cell === 'string' ? JSON.parse(cell) : undefined),
    write: (field) => JSON.stringify(field),
    writes: isJson,
    converts: true,
  },
};

function isJson(cell: unknown): boolean {
  if (typeof cell !== 'string') return false;
  try {
    JSON.parse(cell);
    return true;
  } catch {
    return false;
  }
}

function plainCodec(type: string): Codec {
  const [, codec] = Object.entries(codecs).find(([name]) => name === type) ?? [];
  if (codec === undefined) throw new TypeError(`there is no column type "${type}"`);
  return codec;
}

function choiceCodec(choices: Choice): Codec {
  const known: ReadonlySet<unknown> = new Set<unknown>(choices);
  return sameWhere((cell) => known.has(cell));
}

function sameWhere(isAllowed: (cell: unknown) => boolean): Codec {
  return {
    read: (cell) => (isAllowed(cell) ? cell : undefined),
    write: (field) => field,
    writes: isAllowed,
    converts: false,
  };
}

function nullable(codec: Codec): Codec {
  return {
    read: (cell) => (cell === null ? null : codec.read(cell)),
    write: (field) => (field === null ? null : codec.write(field)),
    writes: (cell) => cell === null || codec.writes(cell),
    converts: codec.converts,
  };
}
