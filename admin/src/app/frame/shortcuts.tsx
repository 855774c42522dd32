import { type TextKey, t } from '../../base/i18n/index.ts';
import { KeyHint } from '../../commands/key-hint.tsx';
import { useOfferedCommands } from '../../commands/registry.ts';
import { Dialog } from '../../ui/floating/dialog.tsx';
import classes from './shortcuts.module.css';

/** Keys of parts of the screen, which work while that part has the focus. */
const ofParts: readonly {
  readonly title: TextKey;
  readonly rows: readonly (readonly [string, TextKey])[];
}[] = [
  {
    title: 'shortcuts.tree',
    rows: [
      ['ArrowUp', 'shortcuts.previous'],
      ['ArrowDown', 'shortcuts.next'],
      ['ArrowRight', 'shortcuts.open'],
      ['ArrowLeft', 'shortcuts.close'],
      ['Enter', 'shortcuts.edit'],
      ['Alt+ArrowUp', 'shortcuts.moveUp'],
      ['Alt+ArrowDown', 'shortcuts.moveDown'],
      ['M', 'shortcuts.moveMode'],
      ['N', 'shortcuts.newBelow'],
      ['Shift+ArrowDown', 'shortcuts.selectMore'],
      ['Delete', 'actions.delete'],
    ],
  },
];

/** All keys that work here. */
export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const offered = useOfferedCommands();
  const commands = offered.filter(({ keys }) => keys !== undefined);
  const local = offered.filter(({ localKeys }) => localKeys !== undefined);
  return (
    <Dialog onClose={onClose} title={t('shortcuts.title')} size={720}>
      <div className={classes['columns']}>
        <section>
          <h3>{t('shortcuts.everywhere')}</h3>
          <dl className={classes['list']}>
            {commands.map(({ id, label, keys = '' }) => (
              <Row key={id} keys={keys} label={label} />
            ))}
          </dl>
        </section>
        {local.length > 0 && (
          <section>
            <h3>{t('shortcuts.local')}</h3>
            <dl className={classes['list']}>
              {local.map(({ id, label, localKeys = '' }) => (
                <Row key={id} keys={localKeys} label={label} />
              ))}
            </dl>
          </section>
        )}
        {ofParts.map(({ title, rows }) => (
          <section key={title}>
            <h3>{t(title)}</h3>
            <dl className={classes['list']}>
              {rows.map(([keys, label]) => (
                <Row key={keys} keys={keys} label={label} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function Row({ keys, label }: { readonly keys: string; readonly label: TextKey }) {
  return (
    <div className={classes['row']}>
      <dt>{t(label)}</dt>
      <dd>
        <KeyHint keys={keys} />
      </dd>
    </div>
  );
}
