import type { Validator } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { ApiError, type FieldFault, prefixed } from '../base/errors.ts';
import { readKeyword } from './json-schema.ts';

/**
 * Most violations that one check collects: more than the fields of any sensible body, because a client wants to
 * know all faults at once. A body of millions of faulty items must not make a long answer.
 */
const maxErrors = 2000;
Settings.Set({ maxErrors });

type SchemaError = ReturnType<Validator['Errors']>[number];

/**
 * All fields of a value that do not fit the schema, with dotted paths; `body` is the whole value.
 *
 * @param at field that the value belongs to, if it is not the whole body
 */
export function listFieldFaults(validator: Validator, value: unknown, at: string): readonly FieldFault[] {
  const byPath = Map.groupBy(validator.Errors(value), ({ instancePath }) => instancePath);
  const faultsInside = new Set([...byPath.keys()].flatMap(pathsAbove));
  const faults = [...byPath]
    .filter(([path, errors]) => !(isUnion(errors) && faultsInside.has(path)))
    .flatMap(([path, errors]) =>
      faultsAt(errors, { field: [...(at === '' ? [] : [at]), ...segmentsOf(path)], validator, value }),
    );
  return faults.length > 0 ? faults : [{ field: at || 'body', reason: 'is not valid' }];
}

/** The same error; if its field is inside an element of the body, the text begins with the place of that element. */
export function nameItem(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const index = /^(\d+)(?:\.|$)/.exec(String(error.params['field']))?.[1];
  return index === undefined ? error : prefixed(error, `item ${index}: `);
}

/** A union fails also because of a value inside it. Then the value inside is the fault. */
function isUnion(errors: readonly SchemaError[]): boolean {
  return errors.some(({ keyword }) => keyword === 'anyOf');
}

function pathsAbove(path: string): string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}

/** Where the violations of one field are. */
interface FaultPlace {
  /** Segments of its name. */
  readonly field: readonly string[];
  readonly validator: Validator;
  /** The whole value that was checked. */
  readonly value: unknown;
}

function faultsAt(errors: readonly SchemaError[], place: FaultPlace): FieldFault[] {
  const { field } = place;
  const missing = errors.flatMap((error) =>
    error.keyword === 'required' ? error.params.requiredProperties : [],
  );
  const faults = missing.map((name) => ({ field: [...field, name].join('.'), reason: 'is required' }));
  const reason = reasonOf(
    ofFittingBranch(errors).filter(({ keyword }) => keyword !== 'required'),
    place,
  );
  return reason === undefined ? faults : [{ field: field.join('.') || 'body', reason }, ...faults];
}

/** Of a union the violations of the branch whose type the value has: that it is not of the other types helps nobody. */
function ofFittingBranch(errors: readonly SchemaError[]): readonly SchemaError[] {
  const isFitting = ({ keyword }: SchemaError) => keyword !== 'type' && !optionKeywords.has(keyword);
  if (!isUnion(errors) || !errors.some(isFitting)) return errors;
  return errors.filter(({ keyword }) => keyword !== 'type');
}

/** One reason for the violations of one field. The branches of a union are alternatives. */
function reasonOf(errors: readonly SchemaError[], place: FaultPlace): string | undefined {
  const [first] = errors;
  if (first === undefined) return undefined;
  const options = errors.flatMap(optionsOf);
  const others = errors
    .filter(({ keyword }) => !optionKeywords.has(keyword))
    .map((error) => textOf(error, place));
  const texts = [...new Set([...optionTexts(options), ...others])];
  if (texts.length === 0) return undefined;
  const reason = texts.every((text) => text.startsWith(mustBe))
    ? `${mustBe}${texts.map((text) => text.slice(mustBe.length)).join(' or ')}`
    : texts.join(', ');
  return options.length === 0
    ? reason
    : `${reason}, not ${excerptOf(valueAt(place.value, first.instancePath))}`;
}

const mustBe = 'must be ';
const optionKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'anyOf']);

/** The values that a violated list of options allows. */
function optionsOf(error: SchemaError): string[] {
  if (error.keyword === 'const') return [JSON.stringify(error.params.allowedValue)];
  return error.keyword === 'enum' ? error.params.allowedValues.map((value) => JSON.stringify(value)) : [];
}

function optionTexts(options: readonly string[]): string[] {
  if (options.length === 0) return [];
  return [`${mustBe}${options.length > 1 ? 'one of ' : ''}${options.join(', ')}`];
}

/** Most characters of a value that a reason repeats. */
const maxExcerpt = 60;

function excerptOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = String(JSON.stringify(value));
  return text.length > maxExcerpt ? `${text.slice(0, maxExcerpt)}...` : text;
}

function valueAt(value: unknown, pointer: string): unknown {
  return segmentsOf(pointer).reduce(readKeyword, value);
}

/** The validator's text in words that say what is expected. */
function textOf(error: SchemaError, { validator }: FaultPlace): string {
  switch (error.keyword) {
    case 'type': {
      const expected = readKeyword(valueAt(validator.Type(), error.schemaPath.slice(1)), 'x-expects');
      return typeof expected === 'string' ? `${error.message}: ${expected}` : error.message;
    }
    case 'minimum':
      return `must be at least ${error.params.limit}`;
    case 'maximum':
      return `must be at most ${error.params.limit}`;
    case 'minLength':
      return `must have at least ${error.params.limit} characters`;
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`;
    case 'maxItems':
      return `must have at most ${error.params.limit} entries`;
    default:
      return error.message;
  }
}

function segmentsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}
