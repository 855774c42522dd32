import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../icons/icon.tsx';
import classes from './tray.module.css';

export interface TrayProps {
  readonly label: string;
  /** How it stands, which is read out when it changes. */
  readonly summary: string;
  /** How it is closed; undefined as long as something is running. */
  readonly close: { readonly label: string; run(): void } | undefined;
  /** Rows. */
  readonly children: ReactNode;
}

/** What goes on while other screens are shown, at the edge of the window. */
export function Tray({ label, summary, close, children }: TrayProps) {
  return (
    <section className={classes['tray']} aria-label={label}>
      <header className={classes['head']}>
        <b role="status">{summary}</b>
        {close !== undefined && (
          <ActionIcon size={24} aria-label={close.label} onClick={close.run}>
            <Icon name="x" />
          </ActionIcon>
        )}
      </header>
      <ul className={classes['rows']}>{children}</ul>
    </section>
  );
}

export interface TrayRowProps {
  readonly state: 'running' | 'done' | 'failed';
  readonly name: ReactNode;
  readonly text: string;
  /** Buttons, and the bar while it is running. */
  readonly children?: ReactNode;
}

export function TrayRow({ state, name, text, children }: TrayRowProps) {
  return (
    <li className={classes['row']} data-state={state}>
      <span className={classes['name']}>{name}</span>
      <span className={classes['state']}>{text}</span>
      {children}
    </li>
  );
}
