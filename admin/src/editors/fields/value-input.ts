import type { CollectionField } from '../../content/collections.ts';
import type { Faults } from '../../kit/form/form-texts.ts';
import type { RichSettings } from '../richtext/model/elements.ts';

/** What every input for the value of a field gets. */
export interface ValueInputProps {
  readonly field: CollectionField & RichSettings;
  /** Null if there is none. */
  readonly value: unknown;
  readonly error?: string | undefined;
  /** What the server has refused inside of the value, by the path below it, such as `0.day`. */
  readonly faults?: Faults | undefined;
  /** A sentence below the label. */
  readonly help?: string | undefined;
  /** Stands in an empty input for text. */
  readonly placeholder?: string | undefined;
  onChange(value: unknown): void;
}
