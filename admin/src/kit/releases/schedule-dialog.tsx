import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { t, timeText } from '../../base/i18n/index.ts';
import { helpAbove } from '../../ui/layout/help-above.ts';
import { showToast } from '../../ui/messages/toasts.ts';
import { FormDialog } from '../form/form-dialog.tsx';
import { useSubmit } from '../form/submit.ts';

interface ScheduleDialogProps {
  readonly name: string;
  /** @param publishAt in Unix seconds */
  schedule(publishAt: number): Promise<unknown>;
  onClose(): void;
}

/** Asks when a release goes live, in the time zone of the browser. */
export function ScheduleDialog({ name, schedule, onClose }: ScheduleDialogProps) {
  const [moment, setMoment] = useState('');
  const at = Math.floor(new Date(moment).getTime() / 1000);
  const sending = useSubmit(async () => {
    await schedule(at);
    onClose();
    showToast({ tone: 'done', message: t('releases.isScheduled', { name, time: timeText(at) }) });
  });
  return (
    <FormDialog
      title={t('releases.scheduleTitle', { name })}
      submit={t('releases.scheduleNow')}
      sending={sending}
      isIncomplete={Number.isNaN(at)}
      onClose={onClose}
    >
      <TextInput
        {...helpAbove}
        type="datetime-local"
        label={t('releases.at')}
        description={t('releases.atHelp', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
        required
        data-autofocus
        value={moment}
        error={sending.faults['publish_at']}
        onChange={({ currentTarget }) => setMoment(currentTarget.value)}
      />
    </FormDialog>
  );
}
