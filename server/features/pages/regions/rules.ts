/** The words of a page: how a save merges and checks them, and what their templates say of them. */
import { isDeepStrictEqual } from 'node:util';
import { createRegionParam, findReferringParam } from '../../../../runtime/blocks/region-param.ts';
import { ConversionError } from '../../../../runtime/fields/definition.ts';
import { replaceIds } from '../../../../runtime/fields/targets.ts';
import { convertParameter } from '../../../../runtime/fields/types.ts';
import type { ReportedRegion } from '../../../../runtime/tasks/messages/checks.ts';
import { type FieldFault, invalid, invalidFields } from '../../../base/errors.ts';
import { leveled, type Warning } from '../../../base/warnings.ts';
import type { Change } from '../../../changes/changes.ts';
import type { CheckedText, TextReport } from '../../../changes/text-analysis.ts';
import { listValueReferences } from '../../../content/blocks/references.ts';
import { findFaultInTarget } from '../../../content/blocks/targets.ts';
import { TreeRuleLookup } from '../../../content/blocks/tree-rule-lookup.ts';
import { fieldLimits } from '../../../content/common-fields.ts';
import type { PlacedMarkup } from '../../../content/fields/markup.ts';
import type { Reference } from '../../../content/kinds/kind.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { RegionSchema } from './model.ts';

/** Values by the names of regions. */
export type RegionValues = Readonly<Record<string, unknown>>;

const limits = { names: 1_000, bytes: 4 * 2 ** 20 } as const;

/** Values of an earlier state of a page. */
const trusted = new WeakSet<RegionValues>();

/** Values in the place of those that are sent: they replace all, as they are, because they were checked before. */
export function trustRegions(values: RegionValues): Record<string, unknown> {
  const copy = Object.fromEntries(Object.entries(values));
  trusted.add(copy);
  return copy;
}

/**
 * The values after a save. They are checked by the templates as they are then.
 *
 * @param texts the templates of the page, the content and its head first
 * @throws ApiError `common.invalid` for `regions.<name>`
 */
export async function mergeRegions(
  change: Change,
  texts: readonly CheckedText[],
  before: RegionValues,
  sent: RegionValues | undefined,
): Promise<RegionValues> {
  if (sent === undefined) return before;
  if (trusted.has(sent)) return sent;
  const values = new Map(Object.entries(before));
  const changed: [string, unknown][] = [];
  for (const [name, value] of Object.entries(sent)) {
    if (value === null) values.delete(name);
    else if (!values.has(name) || !isDeepStrictEqual(values.get(name), value)) changed.push([name, value]);
  }
  const reports = changed.length === 0 ? [] : change.report(texts.slice(0, regionTexts));
  const regions = new Map(listRegions(reports ?? []).map((region) => [region.name, region]));
  const faults: FieldFault[] = [];
  for (const [name, value] of changed) {
    const converted = await convertRegion(change.tx, regions.get(name), name, value);
    if (converted instanceof ConversionError)
      faults.push({ field: `regions.${name.slice(0, fieldLimits.name)}`, reason: converted.reason });
    else if (converted === null) values.delete(name);
    else values.set(name, converted);
  }
  if (faults.length > 0) throw invalidFields(faults);
  const merged = Object.fromEntries(values);
  requireSize(merged);
  return merged;
}

/** The value to store; null for none. Without a region of that name, any value is stored as it is. */
async function convertRegion(
  db: ContentDb,
  region: ReportedRegion | undefined,
  name: string,
  value: unknown,
): Promise<unknown> {
  if (name.length > fieldLimits.name)
    return new ConversionError(`must have a name of at most ${fieldLimits.name} characters`);
  const param = region && createRegionParam(name, region.type);
  // Empty text is a value of its own: it shows nothing in place of the default.
  if (param === undefined || value === '') return value;
  const converted = convertParameter(value, param);
  if (converted instanceof ConversionError) return converted;
  const fault = await findFaultInTarget(new TreeRuleLookup(db), converted, param);
  return fault === undefined ? converted : new ConversionError(fault.reason);
}

function requireSize(values: RegionValues): void {
  if (Object.keys(values).length > limits.names)
    throw invalid('regions', `must have at most ${limits.names} names`);
  if (Buffer.byteLength(JSON.stringify(values)) > limits.bytes)
    throw invalid('regions', `must have at most ${limits.bytes} bytes`);
}

/** The content and the head, which have regions, come first. */
export const regionTexts = 2;

/** The regions in the reports of content and head, in order of rendering, each name once. */
function listRegions(reports: readonly TextReport[]): ReportedRegion[] {
  const regions = new Map<string, ReportedRegion>();
  for (const { regions: found } of reports.slice(0, regionTexts))
    for (const region of found) if (!regions.has(region.name)) regions.set(region.name, region);
  return [...regions.values()];
}

/** `region_schema` of a page. @param reports of its texts */
export function toRegionSchema(reports: readonly TextReport[]): RegionSchema[] {
  return listRegions(reports).map(({ name, label, type, help, richtext, ...region }) => ({
    name,
    label,
    type,
    help,
    richtext: [...richtext],
    default: region.default,
    template: region.snippet ?? 'page',
  }));
}

/** What the reports of single texts cannot know: names in content and head, and values without a region. */
export function listRegionWarnings(values: RegionValues, reports: readonly TextReport[]): Warning[] {
  const [content, head] = reports;
  if (content === undefined || head === undefined) return [];
  const shown = new Set(content.regions.flatMap(({ name, isReplaced }) => (isReplaced ? [] : name)));
  const taken = head.regions.filter(({ name, isReplaced }) => !isReplaced && shown.has(name));
  return [...taken.map(toTakenWarning), ...listUnknown(values, [content, head])];
}

function toTakenWarning({ name, place }: ReportedRegion): Warning {
  const { template, line, column } = place;
  const error = `${template}:${line}:${column}: a second region "${name}": the content of the page has one`;
  return leveled({ code: 'template.regionTaken', error, params: { template, line, column, name } });
}

function listUnknown(values: RegionValues, reports: readonly TextReport[]): Warning[] {
  const names = Object.keys(values);
  // The regions of a text that does not parse are not known.
  const isUncertain = reports.some(
    ({ failed, warnings }) => failed === true || warnings.some(({ code }) => code === 'template.syntax'),
  );
  if (names.length === 0 || isUncertain) return [];
  const known = new Set(listRegions(reports).map(({ name }) => name));
  return names
    .filter((name) => !known.has(name))
    .map((name) => {
      const error = `no template of the page has a region "${name}", so its words do not show`;
      return leveled({ code: 'template.unknownRegion', error, params: { name } });
    });
}

/**
 * The words of a page that are shown as HTML. Words without a region, or with one that is not known yet, may be shown
 * as anything later.
 *
 * @param reports about content and head; undefined if they are not made yet
 */
export function* listRegionMarkup(
  values: RegionValues,
  reports: readonly TextReport[] | undefined,
): Generator<PlacedMarkup> {
  if (reports === undefined) return;
  const types = new Map(listRegions(reports).map(({ name, type }) => [name, type]));
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'string') continue;
    const field = `regions.${name}`;
    const type = types.get(name);
    if (type !== undefined && type !== 'html' && type !== 'markdown') continue;
    if (type !== 'markdown') yield { key: field, field, type: 'html', text: value };
    if (type !== 'html') yield { key: field, field, type: 'markdown', text: value };
  }
}

/** What the words of a page refer to. */
export function listRegionReferences(values: RegionValues): Reference[] {
  const references = new Map<string, Reference>();
  for (const [name, value] of Object.entries(values)) {
    const field = findReferringParam(name, value) ?? { name, type: 'text' };
    for (const reference of listValueReferences(value, field))
      references.set(`${reference.kind} ${reference.key}`, reference);
  }
  return [...references.values()];
}

/** Words of regions with others in the places of IDs. Only links hold IDs that can be told from text. */
export function replaceIdsInRegions(regions: unknown, replace: (id: unknown) => unknown): unknown {
  if (typeof regions !== 'object' || regions === null || Array.isArray(regions)) return regions;
  const replaced = Object.entries(regions).map(([name, value]) => {
    const isLink = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [name, isLink ? replaceIds(value, { name, type: 'link' }, replace) : value] as const;
  });
  return Object.fromEntries(replaced);
}
