import type { CollectionField } from '../../content/collections.ts';
import type { RichSettings } from '../richtext/model/elements.ts';

/** What every input for the value of a field gets. */
export interface ValueInputProps {
  readonly field: CollectionField & RichSettings;
  /** Null if there is none. */
  readonly value: unknown;
  readonly error?: string | undefined;
  /** A sentence below the label. */
  readonly help?: string | undefined;
  /** Stands in an empty input for text. */
  readonly placeholder?: string | undefined;
  onChange(value: unknown): void;
}
