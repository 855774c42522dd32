import { Button } from '@mantine/core';
import { ApiFailure } from '../../api/failure.ts';
import { failureText } from '../../api/failure-text.ts';
import { t } from '../../base/i18n/index.ts';
import type { Command } from '../../commands/command.ts';
import { runCommand } from '../../commands/run.ts';
import { Strip } from '../../ui/messages/strip.tsx';

export interface FailedStripProps {
  readonly error: unknown;
  readonly save: Command;
  /** Saves in spite of findings with which visitors would see an error page. */
  readonly saveAnyway: Command;
}

/** Why a save has failed, and what can be done about it. The input is still there. */
export function FailedStrip({ error, save, saveAnyway }: FailedStripProps) {
  const isRefused = error instanceof ApiFailure && error.code === 'template.invalid';
  return (
    <Strip
      tone="brick"
      actions={
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => void runCommand(isRefused ? saveAnyway : save)}
        >
          {t(isRefused ? 'page.saveAnyway' : 'actions.tryAgain')}
        </Button>
      }
    >
      {failureText(error)}
    </Strip>
  );
}
