import { useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import classes from './json-tree.module.css';

/** Members of one value that are shown; the rest is counted. */
const maxMembers = 200;
/** Characters of one text that are shown. */
const maxText = 2000;
/** Levels that are open at first. */
const openLevels = 2;

/** A JSON value as a tree whose parts open and close; what is closed is not drawn. */
export function JsonTree({ value }: { readonly value: unknown }) {
  return (
    <div className={classes['tree']}>
      <ul>
        <Node name={undefined} value={value} level={0} />
      </ul>
    </div>
  );
}

interface NodeProps {
  /** Name or position in the value around it. */
  readonly name: string | undefined;
  readonly value: unknown;
  readonly level: number;
}

function Node({ name, value, level }: NodeProps) {
  const [isOpen, setOpen] = useState(level < openLevels);
  const label = name === undefined ? null : <span className={classes['name']}>{name}: </span>;
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return (
      <li className={classes['leaf']}>
        {label}
        {leafText(value)}
      </li>
    );
  const members = Object.entries(value);
  const left = members.length - maxMembers;
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {label}
          <span className={classes['quiet']}>
            {Array.isArray(value) ? `[${members.length}]` : `{${members.length}}`}
          </span>
        </summary>
        {isOpen && (
          <ul>
            {members.slice(0, maxMembers).map(([key, member]) => (
              <Node key={key} name={key} value={member} level={level + 1} />
            ))}
            {left > 0 && <li className={classes['leaf']}>{t('json.more', { count: left })}</li>}
          </ul>
        )}
      </details>
    </li>
  );
}

function leafText(value: unknown): string {
  const written = JSON.stringify(value) ?? '';
  return written.length > maxText ? `${written.slice(0, maxText)} …` : written;
}
