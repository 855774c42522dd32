import { ApiFailure } from '../api/failure.ts';
import type { Editable, EditorStore } from './editor-store.ts';
import { type Fields, toFieldRecord } from './merge/fields.ts';
import { mergeFields } from './merge/merge.ts';
import { joinWords } from './merge/named-parts.ts';
import { savedNow, takeAnswer } from './take-answer.ts';

/** Between the starts of two saves, in milliseconds: the server takes one a second of an object. */
const everyMs = 1000;
/** Before a save that did not reach the server is tried again, in milliseconds. */
const againMs = 5000;

/** How the working copy of one object is saved and read. */
export interface CopyRequests<Value extends Editable> {
  /** @param seen the state that the changes were made on */
  save(fields: Fields, seen: Value, isStrict: boolean): Promise<Value>;
  /** The object with its working copy, or as it is live if it has none. */
  load(): Promise<Value>;
  /** Whether a field goes into the copy. */
  canWait(field: string): boolean;
}

/** Saves the changes of an editor in the working copy while they are made. */
export class Autosave<Value extends Editable> {
  readonly #store: EditorStore<Value>;
  readonly #requests: CopyRequests<Value>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #startedAt = Number.NEGATIVE_INFINITY;
  /** The changes that were sent last: a refusal is not repeated for the same ones. */
  #tried: unknown;

  constructor(store: EditorStore<Value>, requests: CopyRequests<Value>) {
    this.#store = store;
    this.#requests = requests;
  }

  /** Saves from now on. Returns how to stop, which saves what is left. */
  start(): () => void {
    const stop = this.#store.subscribe(() => this.#plan());
    this.#plan();
    return () => {
      stop();
      this.#cancel();
      if (this.#isDue()) void this.flush();
    };
  }

  /**
   * Saves what has changed now, after the save that is on its way.
   *
   * @param more finds further fields to save when it is sent
   * @returns whether everything that can wait is saved
   */
  flush(isStrict = false, more: () => Fields = () => ({})): Promise<boolean> {
    this.#cancel();
    const saved = this.#running.then(() => this.#save(isStrict, more));
    this.#running = saved.then(() => this.#plan());
    return saved;
  }

  #isDue(): boolean {
    const { state, changes } = this.#store;
    const isBlocked = state.kind === 'conflict' || state.kind === 'gone';
    return !isBlocked && changes !== this.#tried && Object.keys(this.#waiting()).length > 0;
  }

  #waiting(): Fields {
    const changes = Object.entries(toFieldRecord(this.#store.changes));
    return Object.fromEntries(changes.filter(([name]) => this.#requests.canWait(name)));
  }

  #plan(afterMs = everyMs): void {
    if (this.#timer !== undefined || !this.#isDue()) return;
    this.#timer = setTimeout(() => void this.flush(), afterMs);
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #save(isStrict: boolean, more: () => Fields): Promise<boolean> {
    const store = this.#store;
    if (store.state.kind === 'conflict' || store.state.kind === 'gone') return false;
    if (Object.keys({ ...more(), ...this.#waiting() }).length === 0) return true;
    const waitMs = this.#startedAt + everyMs - performance.now();
    if (waitMs > 0) await new Promise((resume) => setTimeout(resume, waitMs));
    this.#startedAt = performance.now();
    this.#tried = store.changes;
    const sent = { ...more(), ...this.#waiting() };
    try {
      takeAnswer(store, await this.#requests.save(sent, store.base, isStrict), sent);
      return store.state.kind === 'saved';
    } catch (error) {
      return (await this.#afterRefusal(error)) && this.#save(isStrict, more);
    }
  }

  /** @returns whether the save can be sent again at once */
  async #afterRefusal(error: unknown): Promise<boolean> {
    const store = this.#store;
    const code = error instanceof ApiFailure ? error.code : '';
    if (code === 'common.notFound') store.setState({ kind: 'gone' });
    else if (code === 'common.conflict' || code === 'changeset.fieldTaken') return this.#merge();
    else {
      store.setState({ kind: 'failed', error });
      if (code === 'offline') {
        this.#tried = undefined;
        this.#plan(againMs);
      }
    }
    return false;
  }

  /** Somebody else was first: what does not overlap is merged, the rest is asked. */
  async #merge(): Promise<boolean> {
    const store = this.#store;
    try {
      const theirs = await this.#requests.load();
      const there = toFieldRecord(theirs);
      const { conflicts, changes } = mergeFields(
        toFieldRecord(store.base),
        toFieldRecord(store.changes),
        there,
      );
      if (conflicts.length === 0) store.take(theirs, joinWords(changes, there), savedNow());
      else store.setState({ kind: 'conflict', theirs });
      return conflicts.length === 0;
    } catch (error) {
      store.setState({ kind: 'failed', error });
      return false;
    }
  }
}
