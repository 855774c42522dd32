/** Parts of the settings of several types of nodes. */
import Type from 'typebox';

/** How a text is edited where a plain field is not enough; the schema of a setting says it with `x-editor`. */
type Editor = 'code' | 'json' | 'lines' | 'cron' | 'collection' | 'custom-node';

/**
 * What an editor has to know of a setting, as members of its schema.
 *
 * @param onlyFor values of other settings with which this one has an effect
 */
export function hints(editor?: Editor, onlyFor?: Readonly<Record<string, readonly string[]>>) {
  return {
    ...(editor === undefined ? {} : { 'x-editor': editor }),
    ...(onlyFor === undefined ? {} : { 'x-only-for': onlyFor }),
  };
}

export function shortText(maxLength = 10_000, more: ReturnType<typeof hints> = {}) {
  return Type.String({ maxLength, ...more });
}

/** Code of an author, in characters. */
export const codeField = shortText(500_000, hints('code'));

export const cronField = shortText(200, hints('cron'));

/** Names and values, such as headers. */
export const pairsField = Type.Array(Type.Object({ name: shortText(200), value: shortText() }), {
  maxItems: 100,
});

/** A number, or a text with a placeholder for one. */
export function numberField(minimum: number, maximum: number, more: ReturnType<typeof hints> = {}) {
  return Type.Union([Type.Number({ minimum, maximum }), shortText(1000)], more);
}
