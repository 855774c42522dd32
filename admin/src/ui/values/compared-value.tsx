import classes from './compared-value.module.css';
import { ScrolledText } from './scrolled-text.tsx';

interface ComparedValueProps {
  readonly title: string;
  readonly value: unknown;
  /** Lines that it does not have are marked. */
  readonly other: unknown;
  readonly isChosen?: boolean;
}

/** One of several states of a value, as text. */
export function ComparedValue({ title, value, other, isChosen = false }: ComparedValueProps) {
  const lines = formatValue(value).split('\n');
  const others = new Set(formatValue(other).split('\n'));
  return (
    <figure className={classes['side']} data-chosen={isChosen || undefined}>
      <figcaption>{title}</figcaption>
      <ScrolledText
        text={lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
          <span key={index} data-different={!others.has(line) || undefined}>
            {line}
            {'\n'}
          </span>
        ))}
      />
    </figure>
  );
}

/** A value of the API as text for people; empty for none. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}
