import { toNumber, toText } from './convert.ts';
import { ConversionError } from './definition.ts';
import { parseJsonText } from './json-text.ts';

/** A point on the earth, as it is stored. */
export interface PlaceData {
  readonly lat: number;
  readonly lng: number;
  readonly label?: string;
}

/** The place to store, also from JSON text; unknown keys are dropped. */
export function toPlace(value: unknown): PlaceData | ConversionError {
  const sent = typeof value === 'string' ? parseJsonText(value) : value;
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    return new ConversionError('must be a place, as an object or as JSON text');
  const part = (name: string): unknown => (Object.hasOwn(sent, name) ? Reflect.get(sent, name) : undefined);
  const lat = toNumber(part('lat'));
  if (lat instanceof ConversionError || Math.abs(lat) > 90)
    return new ConversionError('must have lat, a number from -90 to 90');
  const lng = toNumber(part('lng'));
  if (lng instanceof ConversionError || Math.abs(lng) > 180)
    return new ConversionError('must have lng, a number from -180 to 180');
  const sentLabel = part('label') ?? '';
  if (sentLabel === '') return { lat, lng };
  const label = toText(sentLabel);
  return label instanceof ConversionError
    ? new ConversionError(`label ${label.reason}`)
    : { lat, lng, label };
}
