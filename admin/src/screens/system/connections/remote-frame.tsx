import type { ReactNode } from 'react';
import type { AuthStatus } from '../../../api/generated/schema.ts';
import { selectInstance } from '../../../api/instance.ts';
import { t } from '../../../base/i18n/index.ts';
import { CommandButton } from '../../../commands/command-button.tsx';
import { Icon } from '../../../ui/icons/icon.tsx';
import classes from './remote-frame.module.css';

export interface RemoteFrameProps {
  readonly remote: NonNullable<AuthStatus['remote']>;
  readonly children: ReactNode;
}

/** Surrounds everything while the administrator works on another instance. */
export function RemoteFrame({ remote, children }: RemoteFrameProps) {
  const { name, url } = remote;
  return (
    <div className={classes['frame']}>
      <aside className={classes['bar']} aria-label={t('connections.remoteMode')}>
        <Icon name="warning" size={20} />
        <span className={classes['text']}>
          {t('connections.workingOn')} <b>{name}</b> <span className={classes['url']}>{url}</span>
        </span>
        <LeaveRemoteMode />
      </aside>
      <div className={classes['body']}>{children}</div>
    </div>
  );
}

/** The way back. */
export function LeaveRemoteMode() {
  return (
    <CommandButton
      variant="default"
      size="compact-sm"
      command={{
        id: 'connections.leave',
        label: 'connections.leave',
        icon: 'arrow-u-up-left',
        run: () => selectInstance(0),
      }}
    />
  );
}
