import { Checkbox } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import { ScrollRegion } from '../../ui/layout/scroll-region.tsx';
import { type FoundHost, hostCategories, withAll } from './choice.ts';
import classes from './imports.module.css';

export interface HostChoiceProps {
  readonly hosts: readonly FoundHost[];
  readonly chosen: ReadonlySet<string>;
  onChange(chosen: ReadonlySet<string>): void;
}

/** The hosts that the website loads files from, by what they are. Files of the website itself always come along. */
export function HostChoice({ hosts, chosen, onChange }: HostChoiceProps) {
  const groups = hostCategories.flatMap((category) => {
    const own = hosts.filter((host) => host.category === category);
    return own.length === 0 ? [] : [{ category, hosts: own }];
  });
  return (
    <section className={classes['part']}>
      <div className={classes['partHead']}>
        <h2>{t('imports.hosts')}</h2>
      </div>
      <p className="quiet line">{t('imports.hostsHelp')}</p>
      <ScrollRegion className={classes['hosts']} label={t('imports.hosts')}>
        {groups.length === 0 && <p className="quiet line">{t('imports.noHosts')}</p>}
        {groups.map((group) => (
          <fieldset key={group.category}>
            <legend>{t(`imports.categories.${group.category}`)}</legend>
            {group.hosts.map(({ host, label, count, kinds }) => (
              <Checkbox
                key={host}
                label={group.category === 'site' || label === host ? host : `${host} · ${label}`}
                description={`${t('imports.hostFiles', { count })}: ${kindsText(kinds)}`}
                disabled={group.category === 'site'}
                checked={group.category === 'site' || chosen.has(host)}
                onChange={(event) => onChange(withAll(chosen, [host], event.currentTarget.checked))}
              />
            ))}
          </fieldset>
        ))}
      </ScrollRegion>
    </section>
  );
}

const kindNames = ['css', 'js', 'img', 'font', 'file'] as const;

function kindsText(kinds: FoundHost['kinds']): string {
  return kindNames
    .flatMap((kind) => {
      const count = kinds[kind] ?? 0;
      return count === 0 ? [] : [t(`imports.kinds.${kind}`, { count })];
    })
    .join(', ');
}
