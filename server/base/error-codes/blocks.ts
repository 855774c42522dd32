import { type ErrorTable, quoted } from './entry.ts';
import type { UsageEntry } from './requests.ts';

/** Block types, block trees, global blocks. */
export const blockErrors = {
  'block.fieldInvalid': {
    status: 400,
    text: (p: { field: string }) => `${p.field} must be a block tree, as a list or as JSON text`,
  },
  'block.treeInvalid': {
    status: 400,
    text: (p: BlockPlace) =>
      `${at(p)} no block tree: a list of blocks, each an object with "type", "params" and "slots", or with "global"`,
  },
  'block.typeMissing': { status: 400, text: (p: BlockPlace) => `${at(p)} a block without a type` },
  'block.typeUnknown': {
    status: 400,
    text: (p: BlockPlace & { type: string }) => `${at(p)} there is no snippet ${quoted(p.type)}`,
  },
  'block.notABlock': {
    status: 400,
    text: (p: BlockPlace & { type: string }) => `${at(p)} the snippet ${quoted(p.type)} is no block type`,
  },
  'block.paramRequired': {
    status: 400,
    text: (p: BlockPlace & { param: string }) => `${at(p)} the parameter "${p.param}" is required`,
  },
  'block.paramInvalid': {
    status: 400,
    text: (p: BlockPlace & { param: string; error: string }) =>
      `${at(p)} the parameter "${p.param}" ${p.error}`,
  },
  'block.slotUnknown': {
    status: 400,
    text: (p: BlockPlace & { slot: string; type: string }) =>
      `${at(p)} the block type ${quoted(p.type)} has no slot ${quoted(p.slot)}`,
  },
  'block.slotNotAllowed': {
    status: 400,
    text: (p: BlockPlace & { slot: string; type: string }) =>
      `${at(p)} the slot "${p.slot}" does not take blocks of the type ${quoted(p.type)}`,
  },
  'block.slotMax': {
    status: 400,
    text: (p: BlockPlace & { slot: string; max: number }) =>
      `${at(p)} the slot "${p.slot}" takes at most ${p.max} blocks`,
  },
  'block.tooDeep': {
    status: 400,
    text: (p: BlockPlace & { max: number }) => `${at(p)} more than ${p.max} levels of blocks`,
  },
  'block.tooLarge': {
    status: 400,
    text: (p: { max: number; field?: string }) => `the block tree is larger than ${p.max} bytes`,
  },
  'block.globalUnknown': {
    status: 400,
    text: (p: BlockPlace & { id: number }) => `${at(p)} there is no global block ${p.id}`,
  },
  'block.globalCycle': {
    status: 400,
    text: (p: { id: number; field?: string }) => `the global block ${p.id} would contain itself`,
  },
  'block.globalNotAllowed': {
    status: 400,
    text: (p: BlockPlace & { slot: string; id: number; type: string }) =>
      `${at(p)} the slot "${p.slot}" does not take the global block ${p.id}, which begins with blocks of the type ${quoted(p.type)}`,
  },
  'block.globalNowNotAllowed': {
    status: 400,
    text: (p: { count: number }) =>
      `the global block stands in slots that do not take its new blocks (${p.count} times)`,
  },
  'block.globalInUse': {
    status: 409,
    text: (p: { count: number; usage: readonly UsageEntry[] }) => `the global block is used ${p.count} times`,
  },
  'block.paramNameInvalid': {
    status: 400,
    text: (p: { name: string; type: string }) =>
      `parameter name ${JSON.stringify(p.name)} is not valid: a letter or "_", then letters, digits and "_", each name once, none of "block", "slots", "id"`,
  },
  'block.paramTypeInvalid': {
    status: 400,
    text: (p: { name: string; type: string }) =>
      `parameter "${p.name}" has the unknown type ${JSON.stringify(p.type)}`,
  },
  'block.paramLinkMissing': {
    status: 400,
    text: (p: { name: string; type: string }) =>
      `parameter "${p.name}" of type ${p.type} is not linked to an existing collection`,
  },
  'block.paramDefaultInvalid': {
    status: 400,
    text: (p: { name: string; type: string }) =>
      `the default of parameter "${p.name}" does not match its type ${p.type}`,
  },
  'block.paramRuleInvalid': {
    status: 400,
    text: (p: { name: string; type: string; key: string; reason: string }) =>
      `parameter "${p.name}" of type ${p.type}: ${p.key} ${p.reason}`,
  },
  'block.slotNameInvalid': {
    status: 400,
    text: (p: { name: string; type: string }) =>
      `slot name ${JSON.stringify(p.name)} is not valid: the rules of parameter names`,
  },
} satisfies ErrorTable;

/** Place in a block tree: dotted path such as `0.slots.main.1`, empty = the whole tree; of an entry its field. */
interface BlockPlace {
  path: string;
  field?: string;
}

function at({ path, field }: BlockPlace): string {
  const place = [field, path].filter((part) => part !== undefined && part !== '').join(' ');
  return `${place || 'blocks'}:`;
}
