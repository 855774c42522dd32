/**
 * All codes of findings, each with its level. A new code is a new line here.
 *
 * `error`: rendering fails where it reaches the place, or fails as a whole. `warning`: the template renders,
 * but not what its author meant. Regions with an `error` render too, but editors cannot fill them as meant.
 */
export const findingLevels = {
  'template.syntax': 'error',
  'template.unknownSnippet': 'error',
  'template.unknownMacro': 'error',
  'template.circle': 'error',
  'template.regionTaken': 'error',
  'template.regionInvalid': 'error',
  'template.regionRepeated': 'error',
  'template.unknownVariable': 'warning',
  'template.unknownField': 'warning',
  'template.unknownCollection': 'warning',
  'template.unknownAsset': 'warning',
  'template.unknownBlock': 'warning',
  'template.unknownSlot': 'warning',
  'template.unknownRegion': 'warning',
  'template.unknownParameter': 'warning',
  'template.notCalled': 'warning',
  'template.ignoredText': 'warning',
  'template.unclosed': 'warning',
  'template.unsafeContext': 'warning',
} as const satisfies Readonly<Record<string, FindingLevel>>;

export type FindingLevel = 'error' | 'warning';

/** Every code of a warning about a template: of mistakes (`template.syntax`) and of findings. */
export type TemplateCode = keyof typeof findingLevels;
