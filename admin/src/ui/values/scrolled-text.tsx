import type { ReactNode } from 'react';

export interface ScrolledTextProps {
  readonly text: ReactNode;
  readonly className?: string | undefined;
}

/** A text as it is, such as JSON, which scrolls where it is long. */
export function ScrolledText({ text, className }: ScrolledTextProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls by keys
    <pre className={className} tabIndex={0}>
      {text}
    </pre>
  );
}
