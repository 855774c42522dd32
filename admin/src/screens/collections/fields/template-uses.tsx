import type { TemplateUse } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import { Link } from '../../../base/router/link.tsx';
import { paths } from '../../../base/router/paths.ts';
import { useCurrentSite } from '../../../content/current-site.ts';
import classes from './fields.module.css';

/** Templates that read a field, each a link to its editor. */
export function TemplateUses({
  title,
  uses,
}: {
  readonly title: string;
  readonly uses: readonly TemplateUse[];
}) {
  const site = useCurrentSite() ?? 0;
  return (
    <div>
      <b>{title}</b>
      <ul className={classes['templates']}>
        {uses.map(({ kind, id, name, line, column, field }) => (
          <li key={`${kind} ${id} ${line} ${column}`}>
            <Link href={kind === 'page' ? paths.page(site, id) : paths.snippet(id)}>{name}</Link>{' '}
            <span className="meta">
              {t('code.line', { line: String(line) })} · <code>{field}</code>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
