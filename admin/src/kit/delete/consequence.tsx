import { t } from '../../base/i18n/index.ts';
import classes from '../../ui/messages/problems.module.css';

/** Most rows of a list of consequences. */
const maxRows = 8;

/** What a deletion takes along or breaks. */
export function Consequence({
  title,
  children,
}: {
  readonly title: string;
  readonly children: readonly string[];
}) {
  return (
    <div className={classes['problems']}>
      <b>{title}</b>
      <ul>
        {children.slice(0, maxRows).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {children.length > maxRows && (
        <span className="meta">{t('page.andMore', { count: children.length - maxRows })}</span>
      )}
    </div>
  );
}
