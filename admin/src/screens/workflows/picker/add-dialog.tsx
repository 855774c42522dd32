import { t } from '../../../base/i18n/index.ts';
import { customConfig, findNode } from '../../../content/flow.ts';
import { flowNodes } from '../../../content/workflows.ts';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { Icon } from '../../../ui/icons/icon.tsx';
import type { AddWish } from '../canvas/graph-events.ts';
import type { FlowEditing } from '../state/flow-editing.ts';
import { chooseIcon, nodeName, typeHelp, typeName } from '../state/looks.ts';
import { HitList } from './hits.tsx';

/** What tells custom nodes from types of nodes in the list. */
const customPrefix = 'custom ';

export interface AddDialogProps {
  readonly editing: FlowEditing;
  readonly wish: AddWish;
  onClose(): void;
}

/** Adds a node by its name, wired to the one it was asked for. */
export function AddDialog({ editing, wish, onClose }: AddDialogProps) {
  const behind = findNode(editing.flow, wish.behind?.id);
  const { data: definitions = [] } = flowNodes.useList();
  // A wire that was drawn leads to a node with an input.
  const takesStart = wish.behind?.out === undefined;
  const types = [...editing.types.values()].filter(({ start }) => takesStart || !start);
  const customs = definitions.filter(({ inputs }) => takesStart || inputs > 0);
  const title =
    behind === undefined ? t('workflows.addNode') : t('workflows.addBehind', { name: nodeName(behind) });
  return (
    <Dialog title={title} onClose={onClose}>
      <HitList
        label={t('workflows.searchNodes')}
        none={t('tree.noHit')}
        hits={[
          ...types.map(({ type }) => ({
            id: type,
            name: typeName(type),
            help: typeHelp(type),
            icon: <Icon name={chooseIcon(type)} size={20} />,
          })),
          ...customs.map(({ key, name, description }) => ({
            id: customPrefix + key,
            name,
            help: description === '' ? typeName('custom') : description,
            icon: <Icon name={chooseIcon('custom')} size={20} />,
          })),
        ]}
        onChoose={(chosen) => {
          const custom = customs.find(({ key }) => customPrefix + key === chosen);
          if (custom === undefined) editing.add(chosen, wish.behind, wish.point);
          else editing.add('custom', wish.behind, wish.point, customConfig(custom));
          onClose();
        }}
      />
    </Dialog>
  );
}
