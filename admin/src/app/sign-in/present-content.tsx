import { Anchor, Title } from '@mantine/core';
import { queryOptions } from '@tanstack/react-query';
import { api, requireData } from '../../api/client.ts';
import { type TextKey, t } from '../../base/i18n/index.ts';
import { paths } from '../../base/router/paths.ts';
import classes from './first-run.module.css';

/** What the server can begin with, and the kinds of content that are there already. */
export const beginningsQuery = queryOptions({
  queryKey: ['starters'],
  queryFn: () => requireData(api.GET('/starters')),
});

const lists: readonly { readonly kind: string; readonly label: TextKey; readonly path: string }[] = [
  { kind: 'snippet', label: 'code.snippet.title', path: paths.snippets() },
  { kind: 'asset', label: 'code.asset.title', path: paths.assets() },
  { kind: 'file', label: 'nav.media', path: paths.media() },
  { kind: 'collection', label: 'nav.collections', path: paths.collections() },
  { kind: 'workflow', label: 'nav.workflows', path: paths.workflows() },
];

export interface PresentContentProps {
  /** Kinds of which there are objects. */
  readonly kinds: readonly string[];
  onOpen(path: string): void;
}

/** Says that there is content without a website, and leads to it. */
export function PresentContent({ kinds, onOpen }: PresentContentProps) {
  return (
    <section className={classes['part']}>
      <Title order={2} size="h3">
        {t('firstRun.present.title')}
      </Title>
      <p className="quiet">{t('firstRun.present.text')}</p>
      <ul className={classes['links']}>
        {lists
          .filter(({ kind }) => kinds.includes(kind))
          .map(({ kind, label, path }) => (
            <li key={kind}>
              <Anchor component="button" type="button" onClick={() => onOpen(path)}>
                {t(label)}
              </Anchor>
            </li>
          ))}
      </ul>
    </section>
  );
}
