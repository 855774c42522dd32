import { useTranslation } from 'react-i18next';
import classes from './status-mark.module.css';

export type Status = 'live' | 'draft' | 'unsaved';

/** The state of a page by shape and word: dot, ring, half dot. The word may be for screen readers only. */
export function StatusMark({
  status,
  isShort = false,
}: {
  readonly status: Status;
  readonly isShort?: boolean;
}) {
  const { t } = useTranslation();
  return (
    <span
      className={classes['mark']}
      data-status={status}
      title={isShort ? t(`status.${status}`) : undefined}
    >
      <span className={classes['shape']} aria-hidden="true" />
      <span className={isShort ? 'visually-hidden' : undefined}>{t(`status.${status}`)}</span>
    </span>
  );
}
