import type { FieldDiff, KindDiff, ObjectDiff } from '../../../api/generated/schema.ts';
import { findText, t, timeText } from '../../../base/i18n/index.ts';
import type { ContentChanges } from '../../../content/jobs/connections.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import type { IconName } from '../../../ui/icons/icons.ts';
import classes from './content-diff.module.css';

const actions = ['deleted', 'updated', 'created'] as const;
const icons: Readonly<Record<(typeof actions)[number], IconName>> = {
  created: 'plus',
  updated: 'pencil-simple',
  deleted: 'trash',
};
/** Most objects of one kind and action on the screen. */
const maxRows = 200;

/** Whether any object would change. */
export function hasChanges(kinds: ContentChanges): boolean {
  return Object.values(kinds).some((diff) => countOf(diff) > 0);
}

/** What would happen, object by object; of changed ones the fields that differ. */
export function ContentDiff({ kinds }: { readonly kinds: ContentChanges }) {
  const changed = Object.entries(kinds).filter(([, diff]) => countOf(diff) > 0);
  return (
    <section className={classes['diff']} aria-label={t('bundles.diff')}>
      {changed.map(([kind, diff]) => (
        // A single kind with few objects needs no click.
        <details key={kind} open={countOf(diff) <= 12}>
          <summary>
            <b>{findText(`bundles.kinds.${kind}`) ?? kind}</b>
            {actions
              .filter((action) => diff[action].length > 0)
              .map((action) => (
                <span key={action} className={classes['count']} data-action={action}>
                  {t(`bundles.counts.${action}`, { count: diff[action].length })}
                </span>
              ))}
          </summary>
          <ul className={classes['objects']}>
            {actions.map((action) => (
              <Objects key={action} action={action} diff={diff} />
            ))}
          </ul>
        </details>
      ))}
    </section>
  );
}

/** An object that would change; of changed ones the fields. */
interface DiffRow extends ObjectDiff {
  readonly fields?: readonly FieldDiff[];
}

function Objects({ action, diff }: { readonly action: (typeof actions)[number]; readonly diff: KindDiff }) {
  const objects: readonly DiffRow[] = diff[action];
  return (
    <>
      {objects.slice(0, maxRows).map((object) => (
        <li key={object.id} className={classes['object']} data-action={action}>
          <span className={classes['name']}>
            <Icon name={icons[action]} />
            <span className="visually-hidden">{t(`bundles.actions.${action}`)} </span>
            <span>
              {object.title || t('bundles.untitled')} <span className="meta">{object.id}</span>
            </span>
          </span>
          {object.fields !== undefined && (
            <dl className={classes['fields']}>
              {object.fields.map((field) => (
                <FieldChange key={field.name} field={field} />
              ))}
            </dl>
          )}
        </li>
      ))}
      {objects.length > maxRows && (
        <li className="meta">{t('page.andMore', { count: objects.length - maxRows })}</li>
      )}
    </>
  );
}

function FieldChange({ field: { name, from, to } }: { readonly field: FieldDiff }) {
  const shown = (value: string) =>
    name === 'created_at' ? timeText(Number(value)) : value || t('bundles.empty');
  return (
    <div>
      <dt>{findText(`fields.${name}`) ?? name}</dt>
      <dd>
        {from === '' && to === '' ? (
          t('bundles.bytes')
        ) : (
          <>
            <del>{shown(from)}</del>
            <ins>{shown(to)}</ins>
          </>
        )}
      </dd>
    </div>
  );
}

function countOf(diff: KindDiff): number {
  return actions.reduce((sum, action) => sum + diff[action].length, 0);
}
