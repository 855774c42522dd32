import type { Role } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import { useGrantNames } from './grant-names.ts';
import { describeGrant } from './grant-text.ts';
import classes from './people.module.css';

/** What some roles allow together, in sentences. */
export function RightsList({ roles }: { readonly roles: readonly Pick<Role, 'grants'>[] }) {
  const names = useGrantNames();
  const sentences = new Set(
    roles.flatMap(({ grants }) => grants.flatMap((grant) => describeGrant(grant, names))),
  );
  return (
    <section className={classes['group']}>
      <h2>{t('rights.title')}</h2>
      {sentences.size === 0 && <p className="quiet">{t('rights.none')}</p>}
      <ul className={classes['sentences']}>
        {[...sentences].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}
