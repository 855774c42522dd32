import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../base/log.ts';
import { StartupError } from '../base/startup-error.ts';
import type { ContentDb } from '../db/tables.ts';
import type { ServingNode } from './membership.ts';

/** Why only one node may serve. Both texts are one line. */
export interface OneNodeRule {
  /** For the log of the node that serves. */
  readonly warning: string;
  /** For a node that may not. */
  readonly refusal: string;
}

/** Finds the rule in the content; undefined if several nodes may serve. */
export type FindOneNodeRule = (db: ContentDb) => Promise<OneNodeRule | undefined>;

interface OneNodeGuardDeps {
  readonly reader: ContentDb;
  readonly log: Log;
  findRule: FindOneNodeRule;
  /** The other nodes that have a lease. */
  readOthers(): Promise<readonly ServingNode[]>;
}

/** How often the leases of other nodes are looked at, in milliseconds. */
const lookMs = 200;

/** Keeps a node from serving beside another one while the content lets only one serve. */
export class OneNodeGuard {
  readonly #deps: OneNodeGuardDeps;
  #isStarted = false;
  #refusal: string | undefined;

  constructor(deps: OneNodeGuardDeps) {
    this.#deps = deps;
  }

  /** Whether the content lets only one node serve. */
  async applies(): Promise<boolean> {
    const { reader, findRule } = this.#deps;
    return (await findRule(reader)) !== undefined;
  }

  /** Whether another node serves and the content lets only one. Ask it where no other node can get a lease. */
  async isRefused(): Promise<boolean> {
    const { reader, log, findRule, readOthers } = this.#deps;
    const rule = await findRule(reader);
    const [other] = rule === undefined ? [] : await readOthers();
    const refusal = rule === undefined || other === undefined ? undefined : refusalOf(rule, other);
    if (this.#isStarted && refusal !== undefined && this.#refusal === undefined) log.warn({}, refusal);
    this.#refusal = refusal;
    return refusal !== undefined;
  }

  /**
   * Waits until the leases of other nodes have run out. A node that was killed renews nothing, such as the last run of
   * this one.
   *
   * @throws StartupError when another node renews its lease, and the content lets only one serve
   */
  async waitForDeadNodes(): Promise<void> {
    const { reader, findRule, readOthers } = this.#deps;
    const leases = new Map<string, string>();
    for (;;) {
      const rule = await findRule(reader);
      const others = rule === undefined ? [] : await readOthers();
      if (rule === undefined || others.length === 0) return;
      for (const other of others) {
        const { id, leaseUntil } = other;
        if ((leases.get(id) ?? leaseUntil) !== leaseUntil) throw new StartupError(refusalOf(rule, other));
        leases.set(id, leaseUntil);
      }
      await pause(lookMs);
    }
  }

  /** To be called when the node has asked for its first lease. @throws StartupError when another one was faster */
  async finishStart(): Promise<void> {
    const { reader, log, findRule } = this.#deps;
    if (this.#refusal !== undefined) throw new StartupError(this.#refusal);
    this.#isStarted = true;
    const rule = await findRule(reader);
    if (rule !== undefined) log.warn({}, rule.warning);
  }
}

function refusalOf({ refusal }: OneNodeRule, { label }: ServingNode): string {
  return `${refusal} (${label})`;
}
