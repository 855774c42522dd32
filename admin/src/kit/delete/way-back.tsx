import { useQuery } from '@tanstack/react-query';
import { t } from '../../base/i18n/index.ts';
import { systemQuery } from '../../content/trash.ts';

/** Says before a deletion whether it can be taken back. */
export function WayBack() {
  const { data } = useQuery(systemQuery);
  if (data === undefined) return null;
  const { trash_days: days } = data;
  return <p className="line">{days === 0 ? t('trash.noWayBack') : t('trash.wayBack', { count: days })}</p>;
}
