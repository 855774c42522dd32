import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { AddWish } from '../canvas/graph-events.ts';
import type { FlowEditing } from '../editor/flow-editing.ts';
import { iconOf, nodeName, typeHelp, typeName } from '../looks.ts';
import { nodeOf } from '../model/flow.ts';
import { HitList } from './hits.tsx';

export interface AddDialogProps {
  readonly editing: FlowEditing;
  readonly wish: AddWish;
  onClose(): void;
}

/** Adds a node by its name, wired to the one it was asked for. */
export function AddDialog({ editing, wish, onClose }: AddDialogProps) {
  const { t } = useTranslation();
  const behind = nodeOf(editing.flow, wish.behind?.id);
  const types = [...editing.types.values()].filter(({ start }) => wish.behind?.out === undefined || !start);
  const title =
    behind === undefined ? t('workflows.addNode') : t('workflows.addBehind', { name: nodeName(behind) });
  return (
    <Dialog title={title} onClose={onClose}>
      <HitList
        label={t('workflows.searchNodes')}
        none={t('tree.noHit')}
        hits={types.map(({ type }) => ({
          id: type,
          name: typeName(type),
          help: typeHelp(type),
          icon: <Icon name={iconOf(type)} size={20} />,
        }))}
        onChoose={(type) => {
          editing.add(type, wish.behind, wish.point);
          onClose();
        }}
      />
    </Dialog>
  );
}
