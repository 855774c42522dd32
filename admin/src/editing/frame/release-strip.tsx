import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { t } from '../../base/i18n/index.ts';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';
import { type PreparedObject, releasesWithQuery } from '../../content/releases/releases.ts';
import { Strip } from '../../ui/messages/strip.tsx';

/** Says that changes of an object wait in releases, so that nobody prepares them twice. */
export function ReleaseStrip({ object: { kind, id } }: { readonly object: PreparedObject }) {
  const { data: releases = [] } = useQuery(releasesWithQuery(kind, id));
  if (releases.length === 0) return null;
  return (
    <Strip tone="slate">
      {t('releases.isIn', { count: releases.length })}{' '}
      {releases.map((release, index) => (
        <Fragment key={release.id}>
          {index > 0 && ', '}
          <Link href={paths.release(release.id)}>{release.name}</Link>
        </Fragment>
      ))}
    </Strip>
  );
}
