import { t } from '../../base/i18n/index.ts';
import type { PreparedObject } from '../../content/releases/releases.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import { type Editable, type EditorStore, useIsChanged } from '../editor-store.ts';
import { usePresence } from '../use-presence.ts';
import classes from './people-here.module.css';

interface PeopleHereProps {
  readonly object: PreparedObject;
  readonly store: Pick<EditorStore<Editable>, 'subscribe' | 'isChanged'>;
}

/** Who else has the object open. Nothing is locked. */
export function PeopleHere({ object, store }: PeopleHereProps) {
  const people = usePresence(object, useIsChanged(store));
  return (
    <span role="status" className={classes['people']}>
      {people.length > 0 && <Icon name="users" />}
      {people
        .map(({ name, state }) => t(state === 'editing' ? 'presence.editing' : 'presence.viewing', { name }))
        .join(', ')}
    </span>
  );
}
