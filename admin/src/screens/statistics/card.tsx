import type { ReactNode } from 'react';
import classes from './statistics.module.css';

export interface CardProps {
  readonly title: string;
  /** What the numbers at the end of its rows count. */
  readonly unit?: string;
  readonly children: ReactNode;
}

/** A part of the statistics with its title. */
export function Card({ title, unit, children }: CardProps) {
  return (
    <section className={classes['card']} aria-label={title}>
      <h2>
        {title}
        {unit !== undefined && (
          <span className="meta" aria-hidden="true">
            {unit}
          </span>
        )}
      </h2>
      {children}
    </section>
  );
}
