import { Fragment } from 'react';

export interface DocumentationProps {
  readonly text: string;
  readonly className?: string | undefined;
}

/** A text of the description, which is English: what stands between backticks is code. */
export function Documentation({ text, className }: DocumentationProps) {
  if (text === '') return null;
  return (
    <p className={className} lang="en">
      {text.split('`').map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a fixed text have no other name than their place
        <Fragment key={index}>{index % 2 === 1 ? <code>{part}</code> : part}</Fragment>
      ))}
    </p>
  );
}
