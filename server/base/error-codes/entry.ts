interface ErrorEntry {
  readonly status: number;
  text(params: never): string;
}

/** What errors are there for a part of the service: status and English text by code. */
export type ErrorTable = Readonly<Record<string, ErrorEntry>>;

/** A text from outside, as far as a message shows it. */
export function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}
