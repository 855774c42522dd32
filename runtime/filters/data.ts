import { escapeHtml } from '../escape.ts';
import { type Filter, keepSafe, valueFilter } from '../filter.ts';
import { SafeString } from '../safe.ts';
import { toText } from '../text.ts';
import { type JsonStyle, toJson } from './shared/json.ts';
import { percentFormat } from './shared/percent-format.ts';
import { pformat } from './shared/pformat.ts';

/** Filters that write any value as text. */
export const dataFilters: readonly Filter[] = [
  valueFilter('json', [0, 0], (value) => toJson(value, COMPACT)),
  { ...valueFilter('json_script', [0, 1], (value, _env, id) => jsonScript(value, id)), returns: 'safe' },
  valueFilter('pprint', [0, 0], (value) => keepSafe(value, pformat(value))),
  valueFilter('stringformat', [1, 1], (value, _env, format) => keepSafe(value, stringFormat(value, format))),
];

/**
 * `json` is plain text: `data-x="{{ v|json }}"` is right with escaping, and `{{ v|json|safe }}` inside a
 * script element, which no value can leave.
 */
const COMPACT: JsonStyle = { comma: ',', colon: ':', ascii: false };

const PYTHON: JsonStyle = { comma: ', ', colon: ': ', ascii: true };

/** A script element of type application/json, with the argument as its id. */
function jsonScript(value: unknown, id: unknown): SafeString {
  const attribute =
    id === undefined || id === null || toText(id) === ''
      ? ''
      : ` id="${id instanceof SafeString ? id.value : escapeHtml(toText(id))}"`;
  return new SafeString(`<script${attribute} type="application/json">${toJson(value, PYTHON)}</script>`);
}

/** The value by a format of Python's `%` operator without its `%`; '' if the two do not fit. */
function stringFormat(value: unknown, format: unknown): string {
  return percentFormat(`%${toText(format)}`, value) ?? '';
}
