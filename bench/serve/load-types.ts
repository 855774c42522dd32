export interface LoadOptions {
  readonly seconds: number;
  readonly connections: number;
  readonly pipelining: number;
  readonly headers: Readonly<Record<string, string>>;
  /** 200 to 299 unless given. */
  readonly status?: number;
  /** GET unless given. */
  readonly method?: string;
  readonly body?: string;
}

export interface LoadResult {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}
