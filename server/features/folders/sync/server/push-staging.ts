/** Sends the operations of a push, in batches in which each refers only to what is there. */
import { decodeName } from '../../format/file-names.ts';
import type { SyncOptions } from '../model.ts';
import { createTokenLookup } from '../objects/folder-content.ts';
import {
  findParent,
  type IdentifiedObject,
  type KnownObjects,
  readServerId,
  readToken,
  type Uid,
} from '../objects/identity.ts';
import { isReplaced, type PushOperation } from '../objects/operations.ts';
import { type Json, ServerError } from './api-client.ts';
import { type BodyContext, listNewFields, toBody } from './bodies.ts';
import type { Live } from './live.ts';
import { ObjectRefused } from './object-refused.ts';

/** Limits of one request. */
const maxOperations = 500;
const maxBytes = 8 * 2 ** 20;

interface StagingOptions {
  /** Applies a batch. Answers with the IDs of its objects, in order. @throws ServerError */
  apply(operations: readonly Json[]): Promise<readonly unknown[]>;
  readonly live: Pick<Live, 'folderIds' | 'objects' | 'states'>;
  readonly wanted: KnownObjects;
  readonly homeId: number;
  /** IDs of what was made before, such as uploaded files. */
  readonly ids: Map<Uid, number>;
  /** IDs of files that have the new bytes of others. */
  readonly contents: ReadonlyMap<Uid, number>;
  readonly onProgress: SyncOptions['onProgress'];
}

interface SentOperation {
  readonly uid: Uid;
  readonly body: Json;
  /** What gets its ID by this operation. */
  readonly creates?: { readonly uid: Uid } | { readonly folder: string } | undefined;
}

export class PushStaging {
  /** IDs of what is new, by object. */
  readonly ids: Map<Uid, number>;
  readonly #options: StagingOptions;
  readonly #folderIds: Map<string, number>;
  readonly #context: BodyContext;
  #done = 0;

  constructor(options: StagingOptions) {
    this.#options = options;
    this.ids = options.ids;
    this.#folderIds = new Map(options.live.folderIds);
    this.#context = {
      lookup: createTokenLookup(options.wanted),
      findId: (uid) => this.findId(uid),
      findFolderId: (path) => this.#folderIds.get(path),
      findState: (uid) => (this.#isReplaced(uid) ? undefined : options.live.states.get(uid)),
    };
  }

  findId(uid: Uid): number | undefined {
    return this.ids.get(uid) ?? (this.#isReplaced(uid) ? undefined : readServerId(uid));
  }

  #isReplaced(uid: Uid): boolean {
    const object = this.#options.wanted.get(uid);
    return object !== undefined && isReplaced(this.#options.live.objects.get(uid), object);
  }

  /** @throws ServerError, ObjectRefused */
  async stage(operations: readonly PushOperation[], folders: readonly string[]): Promise<void> {
    await this.#createFolders(folders);
    const waiting: PushOperation[] = [];
    const links = operations.filter(({ op }) => op === 'link');
    for (const group of groupOperations(operations.filter(({ op }) => op !== 'link'))) {
      // What refers to others of its group can be sent when these have IDs.
      const later = await this.#sendAll(group);
      waiting.push(...(await this.#sendAll(later)));
    }
    const [missing] = await this.#sendAll([...waiting, ...links]);
    if (missing !== undefined)
      throw new ObjectRefused(
        missing.object.uid,
        'folder.referenceMissing',
        'It refers to what is not sent.',
      );
  }

  /** @returns what must wait, because it refers to what has no ID yet */
  async #sendAll(operations: readonly PushOperation[]): Promise<PushOperation[]> {
    const waiting: PushOperation[] = [];
    let batch: SentOperation[] = [];
    let bytes = 0;
    for (const operation of operations) {
      const { sent, rest } = this.#prepare(operation);
      if (rest !== undefined) waiting.push(rest);
      if (sent === undefined) continue;
      const size = Buffer.byteLength(JSON.stringify(sent.body));
      if (batch.length >= maxOperations || (batch.length > 0 && bytes + size > maxBytes)) {
        await this.#send(batch);
        batch = [];
        bytes = 0;
      }
      batch.push(sent);
      bytes += size;
    }
    if (batch.length > 0) await this.#send(batch);
    return waiting;
  }

  async #createFolders(folders: readonly string[]): Promise<void> {
    for (const path of folders) {
      const slash = path.lastIndexOf('/');
      const parent = slash < 0 ? 0 : (this.#folderIds.get(path.slice(0, slash)) ?? 0);
      const data = { name: decodeName(path.slice(slash + 1)), parent_id: parent };
      await this.#send([
        { uid: `folder:${path}`, body: { op: 'create', kind: 'folder', data }, creates: { folder: path } },
      ]);
    }
  }

  #prepare(operation: PushOperation): { readonly sent?: SentOperation; readonly rest?: PushOperation } {
    const { op, object } = operation;
    const { uid, kind } = object;
    const where = this.#where(object);
    switch (op) {
      case 'delete':
        return { sent: { uid, body: { op, kind, id: readServerId(uid), ...where } } };
      case 'move': {
        const parent = kind === 'page' ? { parent_id: this.#refOf(findParent(object) ?? '') } : {};
        const data = { ...parent, index: operation.index };
        return { sent: { uid, body: { op, kind, id: this.#refOf(uid), ...where, data } } };
      }
      case 'link':
        return {
          sent: {
            uid,
            body: { op, kind, id: this.findId(uid), ...where, data: this.#linkBody(operation.other) },
          },
        };
      case 'unlink':
        return { sent: { uid, body: { op, kind, id: this.findId(uid), ...where } } };
      case 'replace': {
        const data = { file_id: this.#options.contents.get(uid) };
        return { sent: { uid, body: { op, kind, id: this.findId(uid), data } } };
      }
      case 'create':
        return this.#create(object);
      default:
        return this.#update(object, operation.fields);
    }
  }

  #linkBody(other: Uid): Json {
    const object = this.#options.wanted.get(other);
    if (object?.kind !== 'item') return { page_id: this.findId(other) };
    return { ...this.#where(object), item_id: this.findId(other) };
  }

  /** Entries name their collection. */
  #where({ kind, fields }: IdentifiedObject): Json {
    return kind === 'item' ? { collection: this.#refOf(readToken(fields['collection']) ?? '') } : {};
  }

  /** The ID, or the name of what the same batch creates. */
  #refOf(uid: Uid): number | string {
    return this.findId(uid) ?? `@${refOf(uid)}`;
  }

  #create(object: IdentifiedObject): { readonly sent?: SentOperation; readonly rest?: PushOperation } {
    const { uid, kind } = object;
    // Its bytes were sent before, with most of its fields.
    if (kind === 'file') return this.#update(object, listFileFields(object));
    const { data, waiting } = toBody(object, listNewFields(object), this.#context);
    const place =
      kind === 'page'
        ? { parent_id: this.#refOf(findParent(object) ?? '') }
        : kind === 'redirect'
          ? { root_id: this.#options.homeId, automatic: object.fields['auto'] === true }
          : {};
    const required = kind === 'item' ? toEntryBody(data, true) : { data: { ...data, ...place } };
    return {
      sent: {
        uid,
        body: { op: 'create', kind, ...this.#where(object), ...required, ref: refOf(uid) },
        creates: { uid },
      },
      ...(waiting.length === 0 ? {} : { rest: { op: 'update', object, fields: waiting } }),
    };
  }

  #update(
    object: IdentifiedObject,
    fields: readonly string[],
  ): { readonly sent?: SentOperation; readonly rest?: PushOperation } {
    const { uid, kind } = object;
    const { data, waiting } = toBody(object, fields, this.#context);
    const folder = kind === 'file' && fields.includes('folder') ? this.#folderBody(object) : {};
    const { folder: _folder, ...own } = data;
    const body = kind === 'file' ? { ...own, ...folder } : data;
    const rest: PushOperation | undefined =
      waiting.length === 0 ? undefined : { op: 'update', object, fields: waiting };
    if (Object.keys(body).length === 0) return rest === undefined ? {} : { rest };
    const sent = {
      uid,
      body: {
        op: 'update',
        kind,
        id: this.findId(uid),
        ...this.#where(object),
        ...(kind === 'item' ? toEntryBody(body, false) : { data: body }),
      },
    };
    return rest === undefined ? { sent } : { sent, rest };
  }

  #folderBody({ fields }: IdentifiedObject): Json {
    return { folder_id: this.#context.findFolderId(String(fields['folder'] ?? '')) ?? 0 };
  }

  async #send(batch: readonly SentOperation[]): Promise<void> {
    const { onProgress } = this.#options;
    let ids: readonly unknown[];
    try {
      ids = await this.#options.apply(batch.map(({ body }) => body));
    } catch (error) {
      throw toRefusal(error, batch);
    }
    for (const [index, { creates }] of batch.entries()) {
      const id = ids[index];
      if (creates === undefined || typeof id !== 'number') continue;
      if ('uid' in creates) this.ids.set(creates.uid, id);
      else this.#folderIds.set(creates.folder, id);
    }
    this.#done += batch.length;
    onProgress?.({ step: 'send', done: this.#done, total: this.#done });
  }
}

/** Operations in a row on objects of one kind; entries by collection. */
function groupOperations(operations: readonly PushOperation[]): PushOperation[][] {
  const groups: PushOperation[][] = [];
  let last: string | undefined;
  for (const operation of operations) {
    const { kind, fields } = operation.object;
    const name = kind === 'item' ? `item ${String(fields['collection'])}` : kind;
    if (name === last) groups.at(-1)?.push(operation);
    else groups.push([operation]);
    last = name;
  }
  return groups;
}

const refs = new Map<Uid, string>();

/** A name for what is created, as batches take it. */
function refOf(uid: Uid): string {
  const known = refs.get(uid) ?? `o${refs.size}`;
  refs.set(uid, known);
  return known;
}

/** What an upload does not set. */
function listFileFields({ fields }: IdentifiedObject): string[] {
  return [
    ...(fields['folder'] === '' ? [] : ['folder']),
    ...['focus_x', 'focus_y'].filter((name) => fields[name] !== 0.5),
  ];
}

function toEntryBody(fields: Json, isNew: boolean): Json {
  const { data = {}, published } = fields;
  return {
    data,
    ...(published === undefined ? {} : { published }),
    ...(isNew && published === undefined ? { published: true } : {}),
  };
}

/** Tells of which object a refused batch is about. */
function toRefusal(error: unknown, batch: readonly SentOperation[]): unknown {
  if (!(error instanceof ServerError)) return error;
  const { index, op } = error.params;
  const place = typeof index === 'number' ? index : typeof op === 'number' ? op : undefined;
  const sent = place === undefined ? undefined : batch[place];
  if (sent === undefined || error.status >= 500 || error.status === 401 || error.status === 403) return error;
  return new ObjectRefused(sent.uid, error.code, error.message);
}
