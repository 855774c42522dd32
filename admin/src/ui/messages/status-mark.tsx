import { t } from '../../base/i18n/index.ts';
import classes from './status-mark.module.css';

export type Status = 'live' | 'draft' | 'unsaved' | 'changed' | 'failing';

export interface StatusMarkProps {
  readonly status: Status;
  /** The word is for screen readers and the pointer only. */
  readonly isShort?: boolean;
}

/** The state of a page by shape and word: dot, ring, half dot. */
export function StatusMark(props: StatusMarkProps) {
  return <RowStatusMark {...props} word={t(`status.${props.status}`)} />;
}

/** The same for the rows of a long list, which give it the word. */
export function RowStatusMark({
  status,
  isShort = false,
  word,
}: StatusMarkProps & { readonly word: string }) {
  return (
    <span className={classes['mark']} data-status={status} title={isShort ? word : undefined}>
      <span className={classes['shape']} aria-hidden="true" />
      <span className={isShort ? 'visually-hidden' : undefined}>{word}</span>
    </span>
  );
}
