import { t } from '../../../base/i18n/index.ts';
import type { EditMessage } from '../../preview/messages.ts';
import type { BlockFacts } from '../model/rules.ts';

/** Labels of regions by their names. */
export type RegionLabels = EditMessage['regions'];

/** Turns editing on in the frame, with all texts that it shows. @param origin of the edited tree */
export function createSetupMessage(
  origin: string,
  { types, globals }: BlockFacts,
  regions: RegionLabels,
): EditMessage {
  const all = [...types.values()];
  return {
    kind: 'edit',
    origin,
    regions,
    names: {
      ...Object.fromEntries(all.map(({ name, label }) => [name, label])),
      ...Object.fromEntries([...globals].map(([id, { name }]) => [`global:${id}`, name])),
    },
    slots: Object.fromEntries(
      all.flatMap(({ name, slots }) =>
        slots.map((slot) => [`${name}/${slot.name}`, slot.label || slot.name]),
      ),
    ),
    texts: {
      // The frame puts the name in.
      add: t('blocks.addTo', { name: '{{name}}' }),
      addFirst: t('blocks.addFirst'),
      page: t('blocks.page'),
      move: t('blocks.drag'),
      more: t('blocks.more'),
    },
  };
}
