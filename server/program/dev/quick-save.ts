/**
 * Sends the text of a saved template or asset by itself, so that the browser shows it before the whole folder is
 * compared. The push after it finds both sides equal.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findMeaning } from '../../features/folders/format/references/names.ts';
import { replaceInTemplate } from '../../features/folders/format/references/templates.ts';
import { codeFence, htmlFence, parseFrontMatter } from '../../features/folders/format/text-file.ts';
import { StateFolder } from '../../features/folders/sync/local/state-folder.ts';
import { readServerId } from '../../features/folders/sync/objects/identity.ts';
import type { DevTarget } from './dev-target.ts';

/** Kinds whose text can be sent alone, by the folder of their files. */
const kinds = [
  { files: /^pages\/(?:.*\/)?index\.html$/, path: '/pages', name: 'page', field: 'html', fence: htmlFence },
  { files: /^snippets\/.*\.html$/, path: '/snippets', name: 'snippet', field: 'content', fence: htmlFence },
  { files: /^assets\/.*\.(?:css|js)$/, path: '/assets', name: 'asset', field: 'content', fence: codeFence },
] as const;

type SavingTarget = Pick<DevTarget, 'url' | 'token' | 'stateDir' | 'findTextPath'>;

export class QuickSave {
  readonly #folder: string;
  readonly #target: SavingTarget;
  /** What files had before their text, when they were pushed last. */
  #heads = new Map<string, string>();
  #ids: ReadonlyMap<string, number> = new Map();

  constructor(folder: string, target: SavingTarget) {
    this.#folder = folder;
    this.#target = target;
  }

  /** Remembers what a push has made of the folder. */
  async remember(): Promise<void> {
    const state = new StateFolder(this.#folder, this.#target.stateDir).ofServer(this.#target.url);
    const base = await state.findBase();
    const ids = [...(base?.objects.values() ?? [])].flatMap(({ key, uid }) => {
      const id = readServerId(uid);
      return key === undefined || id === undefined ? [] : ([[key, id]] as const);
    });
    this.#ids = new Map(ids);
    const known = ids.flatMap(([key]) => (kinds.some(({ files }) => files.test(key)) ? [key] : []));
    const heads = await Promise.all(known.map(async (key) => [key, (await this.#read(key))?.head] as const));
    this.#heads = new Map(heads.flatMap(([key, head]) => (head === undefined ? [] : [[key, head]])));
  }

  /** Whether the file was sent. False for anything but the text of a known object. */
  async send(file: string): Promise<boolean> {
    const kind = kinds.find(({ files }) => files.test(file));
    const id = this.#ids.get(file);
    const read = await this.#read(file);
    if (kind === undefined || id === undefined || read === undefined || read.head !== this.#heads.get(file))
      return false;
    const path = this.#target.findTextPath(kind, id);
    if (path === undefined) return false;
    const isTemplate = kind.field === 'html' || kind.path === '/snippets';
    const text = isTemplate ? this.#translate(read.body, kind.field) : read.body;
    const response = await fetch(`${this.#target.url}/api/v1${path}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${this.#target.token}` },
      body: JSON.stringify({ [kind.field]: text }),
    });
    return response.ok;
  }

  /** With the IDs of the server in place of paths. */
  #translate(source: string, field: string): string {
    return replaceInTemplate(source, field, (value, place) => {
      const key = findMeaning(value, place, (candidate) => this.#ids.has(candidate));
      return (key === undefined ? undefined : this.#ids.get(key)) ?? value;
    });
  }

  /** Undefined for a file that is not there, or that has no readable front matter. */
  async #read(file: string): Promise<{ readonly head: string; readonly body: string } | undefined> {
    const kind = kinds.find(({ files }) => files.test(file));
    if (kind === undefined) return undefined;
    try {
      const text = (await readFile(join(this.#folder, file), 'utf8')).replaceAll('\r\n', '\n');
      const { body } = parseFrontMatter(text, kind.fence);
      return { body, head: text.slice(0, text.length - body.length) };
    } catch {
      // The push that follows tells what is wrong.
      return undefined;
    }
  }
}
