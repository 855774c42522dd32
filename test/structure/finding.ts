/** A name or sentence that breaks a rule of words. */
export interface Finding {
  /** What stands in the list of exceptions. */
  readonly key: string;
  readonly advice: string;
  /** Whether it is only printed. */
  readonly isWarning?: boolean;
}

export interface TrackedFile {
  readonly path: string;
  readonly text: string;
}
