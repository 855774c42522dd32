import { ActionIcon } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import { Icon } from '../../ui/icons/icon.tsx';

export interface RowToolsProps {
  /** Of the row, for those who hear the buttons. */
  readonly title: string;
  readonly place: number;
  readonly count: number;
  /** Of the buttons. Default: as of all others. */
  readonly size?: number;
  onMove(by: -1 | 1): void;
  onRemove(): void;
}

/** What is done with a row of a list: it moves, or goes. */
export function RowTools({ title, place, count, size, onMove, onRemove }: RowToolsProps) {
  const sized = size === undefined ? {} : { size };
  return (
    <>
      <ActionIcon
        {...sized}
        aria-label={t('schema.earlier', { name: title })}
        disabled={place === 0}
        onClick={() => onMove(-1)}
      >
        <Icon name="arrow-up" />
      </ActionIcon>
      <ActionIcon
        {...sized}
        aria-label={t('schema.later', { name: title })}
        disabled={place === count - 1}
        onClick={() => onMove(1)}
      >
        <Icon name="arrow-down" />
      </ActionIcon>
      <ActionIcon {...sized} aria-label={t('schema.remove', { name: title })} onClick={onRemove}>
        <Icon name="trash" />
      </ActionIcon>
    </>
  );
}
