import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { ChangeSetItem, ItemDiff } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import type { Resolution } from '../../content/releases/releases.ts';
import { showToast } from '../../ui/messages/toasts.ts';
import { FormDialog } from '../form/form-dialog.tsx';
import { useSubmit } from '../form/submit.ts';
import { FieldStates } from './field-states.tsx';
import { fieldText, itemText } from './texts.ts';

interface PublishDialogProps {
  readonly name: string;
  readonly items: readonly ChangeSetItem[];
  readonly diff: readonly ItemDiff[];
  publish(resolve: Resolution): Promise<unknown>;
  onClose(): void;
}

type Choice = 'mine' | 'live';

/** Publishes a change set. Each field that was changed live too asks which value counts. */
export function PublishDialog({ name, items, diff, publish, onClose }: PublishDialogProps) {
  /** By object and field. */
  const [choices, setChoices] = useState<Readonly<Record<string, Readonly<Record<string, Choice>>>>>({});
  const disputed = diff.flatMap((item) =>
    item.fields
      .filter(({ conflict }) => conflict)
      .map((state) => ({ object: keyOf(item), title: titleOf(items, item), state })),
  );
  const isChosen = ({ object, state }: (typeof disputed)[number]) =>
    choices[object]?.[state.field] !== undefined;
  const choose = (object: string, field: string, choice: Choice) =>
    setChoices({ ...choices, [object]: { ...choices[object], [field]: choice } });
  const sending = useSubmit(async () => {
    await publish(choices);
    onClose();
    showToast({ tone: 'done', message: t('releases.published', { name }) });
  });
  return (
    <FormDialog
      title={t('releases.publishTitle', { name })}
      size={disputed.length === 0 ? 'md' : 880}
      submit={t('releases.publishNow')}
      sending={sending}
      isIncomplete={!disputed.every(isChosen)}
      onClose={onClose}
    >
      <p className="line">{t('releases.publishEffect', { count: items.length })}</p>
      {disputed.map(({ object, title, state }) => (
        <FieldStates key={`${object} ${state.field}`} of={title} state={state}>
          <SegmentedControl
            aria-label={fieldText(state.field)}
            data={[
              { value: 'mine', label: t('releases.takeMine') },
              { value: 'live', label: t('releases.takeLive') },
            ]}
            value={choices[object]?.[state.field] ?? ''}
            onChange={(value) => choose(object, state.field, value === 'mine' ? 'mine' : 'live')}
          />
        </FieldStates>
      ))}
    </FormDialog>
  );
}

function titleOf(items: readonly ChangeSetItem[], { kind, id }: ItemDiff): string {
  return itemText(items.find((item) => item.kind === kind && item.id === id) ?? { kind, id, title: '' });
}

/** How `resolve` names an object. */
function keyOf({ kind, id }: ItemDiff): string {
  return `${kind}:${id}`;
}
