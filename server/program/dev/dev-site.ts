/** A folder as a website that follows its files. */

import { join } from 'node:path';
import type { FolderContent, FolderFinding } from '../../features/folders/format/content.ts';
import { readFolder } from '../../features/folders/format/index.ts';
import { checkFolder, compareFindings } from '../templates/check-folder.ts';
import type { DevTarget } from './dev-target.ts';
import { QuickSave } from './quick-save.ts';

/** What a browser is told after each change. */
export interface DevState {
  /** Grows with each change that browsers show. */
  readonly version: number;
  readonly findings: readonly FolderFinding[];
  /** Whether only style sheets have changed. */
  readonly styles: boolean;
}

export class DevSite {
  readonly #folder: string;
  readonly #target: DevTarget;
  readonly #quick: QuickSave;
  readonly #listeners = new Set<(state: DevState) => void>();
  #state: DevState = { version: 0, findings: [], styles: false };
  #content: FolderContent = { format: 1, objects: new Map() };
  /** Files that have changed since the last work on them began. */
  #waiting = new Set<string>();
  #isStarting = false;
  #isClosed = false;
  #work: Promise<void> | undefined;

  constructor(folder: string, target: DevTarget) {
    this.#folder = folder;
    this.#target = target;
    this.#quick = new QuickSave(folder, target);
  }

  get state(): DevState {
    return this.#state;
  }

  get content(): FolderContent {
    return this.#content;
  }

  /** The file of the folder that an address below `/media/` shows, in whatever width and format. */
  findMedia(address: string): string | undefined {
    for (const { kind, key, fields } of this.#content.objects.values())
      if (kind === 'file' && [address, address.replace(/\.webp$/, '')].includes(String(fields['url'])))
        return join(this.#folder, key);
    return undefined;
  }

  /** @returns ends the calls */
  onState(listener: (state: DevState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Sends the folder as a whole. */
  start(): Promise<void> {
    this.#isStarting = true;
    return this.change([]);
  }

  /** Shows what files have become. Calls during work are answered by one more round. */
  change(files: readonly string[]): Promise<void> {
    for (const file of files) this.#waiting.add(file);
    this.#work ??= this.#run().finally(() => {
      this.#work = undefined;
    });
    return this.#work;
  }

  /** Ends when nothing is being sent any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    // What went wrong was told to whoever began the work.
    await this.#work?.catch(() => undefined);
  }

  async #run(): Promise<void> {
    while (!this.#isClosed && (this.#isStarting || this.#waiting.size > 0)) {
      this.#isStarting = false;
      const files = [...this.#waiting];
      this.#waiting = new Set();
      await this.#update(files);
    }
  }

  async #update(files: readonly string[]): Promise<void> {
    const styles = files.length > 0 && files.every((file) => file.endsWith('.css'));
    const [file] = files;
    const isSent = file !== undefined && files.length === 1 && (await this.#quick.send(file));
    if (isSent) this.#tell({ styles, findings: this.#state.findings, isNew: true });
    const outcome = await this.#target.send(this.#folder);
    await this.#quick.remember();
    const read = await readFolder(this.#folder);
    this.#content = read.content;
    const own = await checkFolder(read);
    const known = new Set(own.map(nameFinding));
    const refused = outcome.findings.filter((finding) => !known.has(nameFinding(finding)));
    const failure = describeFailure(outcome.exitCode, outcome.message, refused.length > 0);
    const findings = [...own, ...refused, ...failure].sort(compareFindings);
    const isNew = !isSent && (outcome.changes.length > 0 || files.length > 0);
    this.#tell({ styles, findings, isNew });
  }

  #tell({
    styles,
    findings,
    isNew,
  }: {
    styles: boolean;
    findings: readonly FolderFinding[];
    isNew: boolean;
  }): void {
    this.#state = { version: this.#state.version + Number(isNew), findings, styles };
    for (const listener of this.#listeners) listener(this.#state);
  }
}

function nameFinding({ file, line, column, code }: FolderFinding): string {
  return `${file}:${line}:${column} ${code}`;
}

/** Why the website is still as it was before. */
function describeFailure(
  exitCode: number,
  message: string | undefined,
  isTold: boolean,
): readonly FolderFinding[] {
  if (exitCode === 0 || isTold) return [];
  const told = message ?? 'The folder could not be shown.';
  return [{ file: 'site.json', line: 1, column: 1, level: 'error', code: 'folder.notShown', message: told }];
}
