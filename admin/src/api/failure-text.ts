import { currentLanguage, findText, t } from '../base/i18n/index.ts';
import { ApiFailure } from './failure.ts';
import { nameOfPath } from './field-names.ts';

/** What went wrong, in the user's language: by code and parameters, else the text of the server. */
export function failureText(error: unknown): string {
  // The browser says so when somebody closes its dialog or waits too long, and never why.
  if (error instanceof Error && error.name === 'NotAllowedError') return t('session.noPasskey');
  if (!(error instanceof ApiFailure)) return t('errors.unexpected');
  const { code, params, sent } = error;
  if (code === 'common.invalid') return faultsText(params, sent);
  return findText(`errors.${code}`, { code, ...valuesOf(params) }) ?? error.message;
}

/** Faults of fields by the name of the field, such as `outputs` for what is wrong inside of it. */
export function fieldFaults(error: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(pathFaults(error)).map(([path, text]) => [path.split('.', 1)[0], text]),
  );
}

/** Faults of fields by the path that the server names, such as `outputs.2`. */
export function pathFaults(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiFailure)) return {};
  const { code, params } = error;
  if (code === 'common.invalid') {
    const faults = Array.isArray(params['errors']) ? params['errors'] : [params];
    return Object.fromEntries(faults.map((fault) => [String(fault?.field), faultText(fault)]));
  }
  const isOfField = code.startsWith('item.') || code.startsWith('block.');
  if (isOfField && Array.isArray(params['errors']))
    return Object.fromEntries(params['errors'].map((fault) => [String(fault?.field), faultText(fault)]));
  const field = fieldOfCode[code] ?? (isOfField ? params['field'] : undefined);
  return field === undefined ? {} : { [String(field)]: failureText(error) };
}

/** The field that an error is about, where the code tells it. */
const fieldOfCode: Readonly<Record<string, string>> = {
  'page.slugTaken': 'slug',
  'page.slugInvalid': 'slug',
  'page.slugReserved': 'slug',
  'site.domainTaken': 'domains',
  'translation.langInvalid': 'lang',
  'translation.langTaken': 'lang',
  'translation.noLang': 'lang',
  'user.nameTaken': 'username',
  'auth.passwordTooShort': 'password',
  'auth.passwordTooLong': 'password',
  'auth.passwordWeak': 'password',
  'auth.setupToken': 'setup_token',
  'redirect.sourceTaken': 'source',
  'redirect.loop': 'target',
  'snippet.nameTaken': 'name',
  'collection.slugTaken': 'slug',
  'webhook.urlInvalid': 'url',
  'connection.urlInvalid': 'url',
  'webhook.nameTooLong': 'name',
  'collection.detailPageInvalid': 'detail_page_id',
  'flownode.keyTaken': 'key',
};

function faultsText(params: Readonly<Record<string, unknown>>, sent: unknown): string {
  const faults: unknown[] = Array.isArray(params['errors']) ? params['errors'] : [params];
  return faults
    .map((fault) => `${nameOfPath(String(Object(fault).field), sent, findText)}: ${faultText(fault)}`)
    .join(' ');
}

/** What is wrong with a value where its field is named already. */
export function valueFaultText(
  code: string,
  params: Readonly<Record<string, unknown>>,
  message: string,
): string {
  if (code === 'common.invalid') return faultText(params);
  return findText(`errors.${code}`, { code, ...params }) ?? message;
}

/** Reasons with texts of their own; `what` in a text is the group. */
const ownReasons: readonly (readonly [RegExp, string])[] = [
  [/^(?:is not|must be) a number$/, 'number'],
  [/^is neither yes nor no$|^must be true or false$/, 'yesNo'],
  [/^is not a (?:date|day that exists)$|^must be a day in the form/, 'day'],
  [/^must be one of (.+)$/, 'options'],
  [/^must have at most (\d+) characters$/, 'length'],
  [/^refers to (?:entry|file) (\d+), which is missing$/, 'gone'],
  [/^must not be above max$/, 'crossed'],
  [/^must be a whole number from 0 on$/, 'count'],
  [/^is no regular expression: (.+)$/, 'expression'],
  [/^must be the name of another field$/, 'otherField'],
  [/^must be one class name$/, 'className'],
  [/^is in the list twice$/, 'twice'],
  [/^must have at least one field$/, 'noFields'],
  [/^must be the ID or slug of a collection$/, 'collection'],
  [/^is the name of another field$/, 'nameTaken'],
];

/** Reasons come from the server as English continuations of a sentence; the frequent ones have own texts. */
function faultText(fault: unknown): string {
  const reason = String(Object(fault).reason);
  for (const [pattern, name] of ownReasons) {
    const match = pattern.exec(reason);
    const own = match === null ? undefined : findText(`faults.${name}`, { what: match[1] });
    if (own !== undefined) return own;
  }
  if (/empty|required|missing/.test(reason)) return t('errors.field.empty');
  return currentLanguage() === 'en' ? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.` : reason;
}

function valuesOf(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const usage = params['usage'];
  const seconds = params['retry_after'];
  return {
    ...params,
    ...(Array.isArray(usage) ? { count: usage.length } : {}),
    ...(typeof seconds === 'number' ? { s: seconds } : {}),
    why: findText(`errors.auth.weaknesses.${String(params['reason'])}`),
  };
}
