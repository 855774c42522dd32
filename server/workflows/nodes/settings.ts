/** Parts of the settings of several types of nodes. */
import Type from 'typebox';

export function shortText(maxLength = 10_000) {
  return Type.String({ maxLength });
}

/** Code of an author, in characters. */
export const codeField = Type.String({ maxLength: 500_000 });

export const cronField = Type.String({ maxLength: 200 });

/** Names and values, such as headers. */
export const pairsField = Type.Array(Type.Object({ name: shortText(200), value: shortText() }), {
  maxItems: 100,
});

/** A number, or a text with a placeholder for one. */
export function numberField(minimum: number, maximum: number) {
  return Type.Union([Type.Number({ minimum, maximum }), shortText(1000)]);
}
