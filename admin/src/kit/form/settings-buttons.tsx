import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../base/i18n/index.ts';
import { StatusMark } from '../../ui/messages/status-mark.tsx';

export interface SettingsButtonsProps {
  /** Names the effect. */
  readonly submit: string;
  readonly isSending: boolean;
  /** From `useUnsavedChanges`. */
  readonly changes: object;
  /** Further buttons of the form. */
  readonly children?: ReactNode;
  onDiscard(): void;
}

/** Sends changed settings. While they wait a mark says so, because they wait for a user who comes back later too. */
export function SettingsButtons({ submit, isSending, changes, children, onDiscard }: SettingsButtonsProps) {
  const isChanged = Object.keys(changes).length > 0;
  return (
    <Group>
      <Button type="submit" loading={isSending} disabled={!isChanged}>
        {submit}
      </Button>
      {isChanged && (
        <>
          <Button variant="subtle" onClick={onDiscard}>
            {t('page.discard')}
          </Button>
          <StatusMark status="unsaved" />
        </>
      )}
      {children}
    </Group>
  );
}
