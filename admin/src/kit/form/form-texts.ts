import { findText, type TextKey } from '../../base/i18n/index.ts';

/** A group of texts that are named after fields: `host`, `hostHelp`, `options.<field>.<value>` (`_` if it is empty). */
export type TextPrefix = string;
/** The first group that has a text gives it. */
export type FormTexts = TextPrefix | readonly TextPrefix[];

/** Groups of texts that have one of a name. */
export type GroupWith<Name extends string> = TextKey extends infer Key
  ? Key extends `${infer Group}.${Name}`
    ? Group
    : never
  : never;

/** What the server has refused, by the path of the field, such as `rules.0.value`. */
export type Faults = Readonly<Record<string, string>>;

export function formatLabel(texts: FormTexts, name: string): string {
  return firstText(texts, name) ?? findText(`fields.${name}`) ?? name;
}

export function findHelp(texts: FormTexts, name: string): string | undefined {
  return firstText(texts, `${name}Help`);
}

export function optionText(texts: FormTexts, name: string, option: string): string {
  return firstText(texts, `options.${name}.${option === '' ? '_' : option}`) ?? option;
}

function firstText(texts: FormTexts, name: string): string | undefined {
  for (const prefix of [texts].flat()) {
    const text = findText(`${prefix}.${name}`);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** What is wrong with a field and inside of it. */
export function faultAt(faults: Faults, path: string): string | undefined {
  const found = Object.entries(faults).filter(([at]) => at === path || at.startsWith(`${path}.`));
  return found.length === 0 ? undefined : found.map(([, text]) => text).join(' ');
}
