import { t } from '../../base/i18n/index.ts';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';

/** Leads to where blocks come from: an entry or a global block. @param origin as in the markers of previews */
export function ForeignLink({ origin }: { readonly origin: string }) {
  const [kind = '', first = '', second = ''] = origin.split(':');
  const href = { item: paths.collection(first, second), global: paths.globalBlock(Number(first)) }[kind];
  if (href === undefined) return null;
  return <Link href={href}>{t('blocks.openForeign')}</Link>;
}
