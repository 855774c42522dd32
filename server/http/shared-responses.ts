/**
 * Answers that other threads of the front give on their own (`exchange/threads/`).
 *
 * Only what depends on nothing but scheme, host, address, accepted codings and `If-None-Match` may be shared. Each
 * answer is given until one of these: the shared version moves (any change of content or of the headers of all
 * answers, the cache is cleared), its time is over, or its owner drops it.
 */
export interface SharedResponses {
  /** Bytes that threads can read; they lie in memory once. Whoever keeps an answer keeps the returned bytes. */
  keep(bytes: Uint8Array): Uint8Array;
  /** From now on no thread gives any answer that was shared before. */
  invalidate(): void;
  /**
   * Sets the lease: threads may serve shared responses for `ms` milliseconds from now; 0 withdraws it. On a single
   * machine it is never called, and nothing expires.
   */
  setLease(ms: number): void;
  /** Says who counts the answers that threads give, by the first digit of the status. */
  countWith(count: (statusClass: number, times: number) => void): void;
  /** Frees the bytes of an answer that its owner has forgotten; threads may give it for a moment more. */
  drop(answer: SharedResponse): void;
}

export interface SharedResponse {
  /** Unix milliseconds. */
  readonly expiresAt: number;
  /** Called now and then with the number of times that threads have given the answer. */
  used(times: number): void;
}
