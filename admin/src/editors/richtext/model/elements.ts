/** Elements that a field can allow, in the order of the toolbar. */
export const richElements = [
  'headings',
  'bold',
  'italic',
  'link',
  'lists',
  'quote',
  'code',
  'table',
  'image',
] as const;

export type RichElement = (typeof richElements)[number];

/** A class of the website that editors may give to a text. */
export interface RichClass {
  readonly name: string;
  readonly label: string;
}

/** What editors may add to a field. What a value has already stays, whether it is allowed or not. */
export interface Allowed {
  readonly elements: ReadonlySet<RichElement>;
  readonly classes: readonly RichClass[];
}

/** The settings of a field as the server describes them. */
export interface RichSettings {
  readonly richtext?: readonly string[] | null | undefined;
  readonly classes?: readonly RichClass[] | null | undefined;
}

/** A field without `richtext` allows everything. */
export function toAllowed({ richtext, classes }: RichSettings): Allowed {
  const elements = richElements.filter((name) => richtext?.includes(name) ?? true);
  return { elements: new Set(elements), classes: classes ?? [] };
}
