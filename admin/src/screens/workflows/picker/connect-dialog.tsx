import { NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { computePorts, type FlowNode, faultOfWire } from '../../../content/flow.ts';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { Icon } from '../../../ui/icons/icon.tsx';
import type { FlowEditing } from '../state/flow-editing.ts';
import { chooseIcon, formatSummary, nodeName, outputName, typeName } from '../state/looks.ts';
import { HitList } from './hits.tsx';

export interface ConnectDialogProps {
  readonly editing: FlowEditing;
  readonly node: FlowNode;
  onClose(): void;
}

/** Draws a wire without a mouse: from an output of a node to one that can receive. */
export function ConnectDialog({ editing, node, onClose }: ConnectDialogProps) {
  const { outputs } = computePorts(node, editing.types);
  const [out, setOut] = useState(0);
  const targets = editing.flow.nodes.filter(
    ({ id }) => faultOfWire(editing.flow, { from: node.id, out, to: id }, editing.types) === undefined,
  );
  return (
    <Dialog title={t('workflows.connectOf', { name: nodeName(node) })} onClose={onClose}>
      <Stack gap={12}>
        {outputs > 1 && (
          <NativeSelect
            label={t('workflows.settings.output')}
            data={Array.from({ length: outputs }, (_, index) => ({
              value: String(index),
              label: outputName(node, index),
            }))}
            value={String(out)}
            onChange={(event) => setOut(Number(event.currentTarget.value))}
          />
        )}
        <HitList
          label={t('workflows.searchTargets')}
          none={t('workflows.noTarget')}
          hits={targets.map((target) => ({
            id: target.id,
            name: nodeName(target),
            help: `${typeName(target.type)} ${formatSummary(target)}`,
            icon: <Icon name={chooseIcon(target.type)} size={20} />,
          }))}
          onChoose={(to) => {
            editing.connect({ from: node.id, out, to });
            onClose();
          }}
        />
      </Stack>
    </Dialog>
  );
}
