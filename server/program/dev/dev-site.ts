/** A folder as a website that follows its files. */

import type { FolderContent, FolderFinding } from '../../features/folders/format/content.ts';
import { readFolder } from '../../features/folders/format/index.ts';
import { push } from '../../features/folders/sync/push.ts';
import { checkFolder, compareFindings } from '../templates/check-folder.ts';
import { QuickSave } from './quick-save.ts';
import type { DevServer } from './server-process.ts';

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
  readonly #server: DevServer;
  readonly #quick: QuickSave;
  readonly #listeners = new Set<(state: DevState) => void>();
  #state: DevState = { version: 0, findings: [], styles: false };
  #content: FolderContent = { format: 1, objects: new Map() };
  /** Files that have changed since the last work on them began. */
  #waiting = new Set<string>();
  #isStarting = false;
  #work: Promise<void> | undefined;

  constructor(folder: string, server: DevServer) {
    this.#folder = folder;
    this.#server = server;
    this.#quick = new QuickSave(folder, server);
  }

  get state(): DevState {
    return this.#state;
  }

  get content(): FolderContent {
    return this.#content;
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

  async #run(): Promise<void> {
    while (this.#isStarting || this.#waiting.size > 0) {
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
    const outcome = await push({
      folder: this.#folder,
      remote: this.#server.url,
      token: this.#server.token,
      stateDir: this.#server.stateDir,
      yes: true,
      force: true,
    });
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
