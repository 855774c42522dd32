import { escapeHtml } from '../values/escape.ts';
import { SafeString } from '../values/safe.ts';
import { toText } from '../values/text.ts';
import { type FilterDefinition, keepSafe, type QuickPrint, quickLength, valueFilter } from './filter.ts';
import { type JsonStyle, toJson } from './shared/json.ts';
import { compileFormat, percentFormat } from './shared/percent-format.ts';
import { pformat } from './shared/pformat.ts';

/** Filters that write any value as text. */
export const dataFilters: readonly FilterDefinition[] = [
  valueFilter('json', [0, 0], (value) => toJson(value, compact)),
  { ...valueFilter('json_script', [0, 1], (value, _env, id) => jsonScript(value, id)), returns: 'safe' },
  valueFilter('pprint', [0, 0], (value) => keepSafe(value, pformat(value))),
  {
    ...valueFilter('stringformat', [1, 1], (value, _env, format) =>
      keepSafe(value, stringFormat(value, format)),
    ),
    quick: ([format], escaping) => quickFormat(format, escaping),
    quickText: true,
  },
];

/**
 * `json` is plain text. Use `data-x="{{ v|json }}"` with escaping in attributes, and `{{ v|json|safe }}`
 * inside a script element: no value can end that element.
 */
const compact: JsonStyle = { comma: ',', colon: ':', ascii: false };

const python: JsonStyle = { comma: ', ', colon: ': ', ascii: true };

/** A script element of type application/json, with the argument as its id. */
function jsonScript(value: unknown, id: unknown): SafeString {
  const attribute =
    id === undefined || id === null || toText(id) === ''
      ? ''
      : ` id="${id instanceof SafeString ? id.value : escapeHtml(toText(id))}"`;
  return new SafeString(`<script${attribute} type="application/json">${toJson(value, python)}</script>`);
}

function quickFormat(format: unknown, escaping: boolean): QuickPrint | undefined {
  const print = compileFormat(`%${toText(format)}`);
  if (print === undefined) return undefined;
  return (value) => {
    const isQuick = typeof value === 'number' || (typeof value === 'string' && value.length <= quickLength);
    const text = isQuick ? print(value) : undefined;
    return escaping && text !== undefined ? escapeHtml(text) : text;
  };
}

/** The value in a format of Python's `%` operator, without the `%`; '' if the value does not fit. */
function stringFormat(value: unknown, format: unknown): string {
  return percentFormat(`%${toText(format)}`, value) ?? '';
}
