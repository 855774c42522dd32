import Type, { type Static } from 'typebox';
import { findingLevels } from '../../compiler/index.ts';

/**
 * Every code of a warning with its level (Core, "Snippets and page layouts"). `error`: rendering fails where
 * the text is used, or browsers cannot use the text at all; `strict=1` refuses it. `warning`: all else.
 */
const warningLevels = {
  ...findingLevels,
  'block.slotNotInContent': 'warning',
  'block.slotNotInSchema': 'warning',
  'block.valueDropped': 'warning',
  'asset.syntax': 'error',
  'asset.ignored': 'warning',
  'workflow.codeSyntax': 'error',
  'workflow.awaitMissing': 'warning',
  'workflow.collectionMissing': 'warning',
  'workflow.eventMissing': 'warning',
  'workflow.nodeUnreachable': 'warning',
  'workflow.placeholderUnknown': 'warning',
  'workflow.settingUnknown': 'warning',
  'collection.slugNamed': 'warning',
  'collection.entriesBreakRule': 'warning',
  'item.addressInvalid': 'warning',
  'item.addressTaken': 'warning',
  'item.breaksRule': 'warning',
  'item.unknownField': 'warning',
} as const satisfies Record<string, 'error' | 'warning'>;

export type WarningCode = keyof typeof warningLevels;

// Type boundary: the keys of an object literal are exactly its codes.
const warningCodes = Object.keys(warningLevels).sort() as readonly WarningCode[];

/** A finding about a text of an object that was saved: an error of Core, "Errors", with its level. */
export const Warning = Type.Object(
  {
    code: Type.Enum(warningCodes, { description: 'Stable, never renamed.' }),
    level: Type.Enum(['error', 'warning'], {
      description:
        '`error`: rendering fails where the text is used, or browsers cannot use it; `strict=1` refuses it.',
    }),
    error: Type.String({ description: 'English text for humans, with the place in the text.' }),
    params: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Variable parts of the text, such as `line` and `column`, both counted from 1.',
    }),
  },
  { title: 'Warning', description: 'A finding about a text of an object that was saved.' },
);
export type Warning = Static<typeof Warning>;

/** A finding with its level, in the form of the API. */
export function leveled({ code, error, params }: Omit<Warning, 'level'>): Warning {
  return { code, level: warningLevels[code], error, params };
}
