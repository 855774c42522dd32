import type { Validator } from 'typebox/compile';
import { Settings } from 'typebox/system';
import type { FieldFault } from '../errors.ts';

/** Most violations that one check collects. A body of millions of faulty items must not make a long answer. */
const maxErrors = 64;
Settings.Set({ maxErrors });

type SchemaError = ReturnType<Validator['Errors']>[number];

/**
 * All fields of a value that do not fit the schema, with dotted paths; `body` is the whole value.
 *
 * @param at field that the value belongs to, if it is not the whole body
 */
export function faultsOf(validator: Validator, value: unknown, at: string): readonly FieldFault[] {
  const byPath = new Map<string, SchemaError[]>();
  for (const error of validator.Errors(value)) {
    const { instancePath: path } = error;
    byPath.set(path, [...(byPath.get(path) ?? []), error]);
  }
  const faults = [...byPath]
    .filter(([path, errors]) => !isUnionAround(path, errors, [...byPath.keys()]))
    .flatMap(([path, errors]) => faultsAt(errors, [...(at === '' ? [] : [at]), ...segmentsOf(path)]));
  return faults.length > 0 ? faults : [{ field: at || 'body', reason: 'is not valid' }];
}

/** Whether a union failed only because of a value inside it. Then the value inside is the fault. */
function isUnionAround(path: string, errors: readonly SchemaError[], paths: readonly string[]): boolean {
  const isUnion = errors.some(({ keyword }) => keyword === 'anyOf');
  return isUnion && paths.some((other) => other.startsWith(`${path}/`));
}

function faultsAt(errors: readonly SchemaError[], path: readonly string[]): FieldFault[] {
  const missing = errors.flatMap((error) =>
    error.keyword === 'required' ? error.params.requiredProperties : [],
  );
  const faults = missing.map((name) => ({ field: [...path, name].join('.'), reason: 'is required' }));
  const reason = reasonOf(errors.filter(({ keyword }) => keyword !== 'required'));
  return reason === undefined ? faults : [{ field: path.join('.') || 'body', reason }, ...faults];
}

/** One reason for the violations of one field. The branches of a union are alternatives. */
function reasonOf(errors: readonly SchemaError[]): string | undefined {
  const constants = errors.flatMap((error) =>
    error.keyword === 'const' ? [JSON.stringify(error.params.allowedValue)] : [],
  );
  const others = errors.filter(({ keyword }) => keyword !== 'const' && keyword !== 'anyOf').map(textOf);
  const texts = [...new Set([...constantTexts(constants), ...others])];
  if (texts.length === 0) return undefined;
  if (!texts.every((text) => text.startsWith(mustBe))) return texts.join(', ');
  return `${mustBe}${texts.map((text) => text.slice(mustBe.length)).join(' or ')}`;
}

const mustBe = 'must be ';

function constantTexts(constants: readonly string[]): string[] {
  if (constants.length === 0) return [];
  return [`${mustBe}${constants.length > 1 ? 'one of ' : ''}${constants.join(', ')}`];
}

/** The validator's text in words that say what is expected. */
function textOf(error: SchemaError): string {
  switch (error.keyword) {
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
