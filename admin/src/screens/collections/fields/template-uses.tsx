import type { TemplateUse } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import { Link } from '../../../base/router/link.tsx';
import { paths } from '../../../base/router/paths.ts';
import { useCurrentSite } from '../../../content/current-site.ts';
import classes from './fields.module.css';

/** Templates, workflows and code that name a field or slug, each a link to its editor. */
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
            <Link href={pathOf(site, kind, id)}>{name}</Link>{' '}
            <span className="meta">
              {t('code.line', { line: String(line) })} · <code>{field}</code>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function pathOf(site: number, kind: string, id: number): string {
  switch (kind) {
    case 'page':
      return paths.page(site, id);
    case 'workflow':
      return paths.workflow(id);
    case 'flow_node':
      return paths.flowNode(id);
    case 'source':
      return paths.source(id);
    case 'asset':
      return paths.asset(id);
    case 'pen':
      return paths.pen(id);
    default:
      return paths.snippet(id);
  }
}
