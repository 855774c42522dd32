import Type, { type Static } from 'typebox';
import { isParameterName } from '../../../compiler/index.ts';
import { readBlockSchema } from '../../../runtime/blocks/schema.ts';
import { fieldTypeNames } from '../../../runtime/fields/definition.ts';
import { pickSettings, settingNames } from '../../../runtime/fields/settings.ts';
import { fieldTypes, isEmptyValue } from '../../../runtime/fields/types.ts';
import { bodyValidator } from '../../api/validate.ts';
import { apiError, type ErrorCode } from '../../base/errors.ts';
import { leveled, type Warning } from '../../base/warnings.ts';
import { fieldLimits } from '../../content/common-fields.ts';
import { findGroupFaults } from '../../content/fields/groups.ts';
import { findFormFaults, findSettingFaults } from '../../content/fields/settings.ts';

/** Types of parameters: the types of collection fields except `blocks` (Core, "Block type schema"). */
const paramTypes = fieldTypeNames.filter((name) => name !== 'blocks');
type ParamType = (typeof paramTypes)[number];

const text = Type.Optional(Type.String({ maxLength: fieldLimits.text }));
const list = { maxItems: 500 };

const Param = Type.Object({
  name: text,
  label: text,
  type: text,
  required: Type.Optional(Type.Boolean()),
  options: Type.Optional(Type.Array(Type.String({ maxLength: fieldLimits.title }), list)),
  collection: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  default: Type.Optional(Type.Unknown()),
  design: Type.Optional(Type.Boolean()),
  ...Object.fromEntries(settingNames.map((name) => [name, Type.Optional(Type.Unknown())])),
  fields: Type.Optional(Type.Unknown()),
  many: Type.Optional(Type.Unknown()),
});
type Param = Static<typeof Param>;

const Slot = Type.Object({
  name: text,
  label: text,
  allow: Type.Optional(Type.Array(Type.String({ maxLength: fieldLimits.name }), list)),
  max: Type.Optional(Type.Integer({ minimum: 0 })),
});

/** The known fields of a schema. Other fields stay stored as they are. */
const BlockSchema = Type.Object({
  block: Type.Optional(Type.Boolean()),
  label: text,
  description: text,
  icon: text,
  category: text,
  params: Type.Optional(Type.Array(Param, list)),
  slots: Type.Optional(Type.Array(Slot, list)),
});
export type BlockSchema = Static<typeof BlockSchema>;

const validateShape = bodyValidator(BlockSchema, 'schema');

/**
 * Checks the schema of a snippet (Core, "Block type schema").
 *
 * @param hasCollection whether there is a collection with this ID
 * @throws ApiError `common.invalid` for a field of another JSON type, else `block.paramNameInvalid`,
 *   `block.paramTypeInvalid`, `block.paramLinkMissing`, `block.paramDefaultInvalid`, `block.paramRuleInvalid`,
 *   `block.slotNameInvalid`
 */
export async function checkSchema(
  schema: Readonly<Record<string, unknown>>,
  hasCollection: (id: number) => Promise<boolean>,
): Promise<void> {
  const { params = [], slots = [] } = parseSchema(schema);
  const earlier = new Set<string>();
  const names = new Set(params.map(({ name = '' }) => name));
  for (const param of params) {
    await checkParam(param, earlier, hasCollection);
    checkSettings(param, names);
    earlier.add(param.name ?? '');
  }
  const slotNames = new Set<string>();
  for (const { name = '' } of slots) {
    if (!isParameterName(name) || slotNames.has(name)) throw schemaError('block.slotNameInvalid', { name });
    slotNames.add(name);
  }
}

/** The known fields of a schema. @throws ApiError `common.invalid` for fields of another JSON type */
export function parseSchema(schema: Readonly<Record<string, unknown>>): BlockSchema {
  return asBlockSchema(validateShape(schema));
}

/** Type boundary: a stored schema was checked when it was saved. */
export function asBlockSchema(schema: unknown): BlockSchema {
  return schema as BlockSchema;
}

/**
 * Warnings about slots that exist only in the schema or only in the template (Core, "Snippets and page
 * layouts").
 *
 * @param used names of the slots of the template
 */
export function slotWarnings({ block, slots = [] }: BlockSchema, used: readonly string[]): Warning[] {
  const known = slots.map(({ name = '' }) => name);
  const unused = known.filter((name) => !used.includes(name));
  const unknown = block === true ? used.filter((name) => !known.includes(name)) : [];
  return [
    ...unused.map((slot) =>
      leveled({
        code: 'block.slotNotInContent',
        error: `slot "${slot}" of the schema is not used in the snippet`,
        params: { slot },
      }),
    ),
    ...unknown.map((slot) =>
      leveled({
        code: 'block.slotNotInSchema',
        error: `the snippet uses slot "${slot}", which is not in the schema`,
        params: { slot },
      }),
    ),
  ];
}

async function checkParam(
  param: Param,
  taken: ReadonlySet<string>,
  hasCollection: (id: number) => Promise<boolean>,
): Promise<void> {
  const { name = '', type = '' } = param;
  if (!isParameterName(name) || taken.has(name)) throw schemaError('block.paramNameInvalid', { name, type });
  if (!isParamType(type)) throw schemaError('block.paramTypeInvalid', { name, type });
  const isReference = type === 'reference' || type === 'references';
  if (isReference && !(typeof param.collection === 'number' && (await hasCollection(param.collection))))
    throw schemaError('block.paramLinkMissing', { name, type });
  const [fault] = await findGroupFaults({ ...param, type }, '', async (ref) =>
    typeof ref === 'number' ? hasCollection(ref) : false,
  );
  if (fault !== undefined)
    throw apiError('block.paramRuleInvalid', { name, type, key: fault.field, reason: fault.reason });
  const [read = { options: [] }] = readBlockSchema({ params: [param] }).params;
  if (!isEmptyValue(param.default) && !fieldTypes[type].isParameter(param.default, read)) {
    throw schemaError('block.paramDefaultInvalid', { name, type });
  }
}

/** @throws ApiError `block.paramRuleInvalid` */
function checkSettings(param: Param, names: ReadonlySet<string>): void {
  const { name = '', type = '' } = param;
  const [wrongForm] = findFormFaults(param);
  const [read] = readBlockSchema({ params: [param] }).params;
  const [fault] =
    wrongForm !== undefined || read === undefined
      ? [wrongForm]
      : findSettingFaults({ ...read, ...pickSettings(param) }, { at: '', names, canBeUnique: false });
  if (fault === undefined) return;
  throw apiError('block.paramRuleInvalid', { name, type, key: fault.field, reason: fault.reason });
}

function isParamType(type: string): type is ParamType {
  return paramTypes.some((known) => known === type);
}

function schemaError(code: SchemaErrorCode, { name, type = '' }: { name: string; type?: string }): Error {
  return apiError(code, { name: name.slice(0, fieldLimits.name), type: type.slice(0, fieldLimits.name) });
}

type SchemaErrorCode = Extract<
  ErrorCode,
  | 'block.paramNameInvalid'
  | 'block.paramTypeInvalid'
  | 'block.paramLinkMissing'
  | 'block.paramDefaultInvalid'
  | 'block.slotNameInvalid'
>;
