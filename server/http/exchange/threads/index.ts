/**
 * Several threads of uWebSockets.js on one port (`-front-threads`). One app in the main thread accepts connections
 * and hands them to the threads in turn. Compared with SO_REUSEPORT, where every thread listens, the port stays
 * exclusive and connections are spread evenly.
 *
 * A thread gives finished answers itself (thread.ts); everything else it forwards to the main thread, which handles
 * it with the same front as if it had received it (remote-responder.ts). Finished bytes lie once, in shared memory.
 *
 * Invariant: a thread gives an answer only while the shared version is the one at which the main thread took it from
 * its cache. The version moves before a change is answered; so no request that begins after that answer gets what
 * was there before. A thread reads the version at each request.
 *
 * A thread that ends with open connections ends the whole process (the library aborts), so none can be replaced. A
 * thread runs no code of guests, keeps only references to shared memory, and catches its errors.
 */
import type * as uWS from 'uWebSockets.js';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Log } from '../../../base/log.ts';
import type { SharedResponse, SharedResponses } from '../../shared-responses.ts';
import type { ViewEvent, ViewEventBuffer } from '../../view-event-buffer.ts';
import {
  defaultMaxConnections,
  type RequestHandler,
  type Transport,
  type TransportOptions,
} from '../transport.ts';
import { createApp } from '../uws/app.ts';
import type { Library } from '../uws/library.ts';
import { listen } from '../uws/listening.ts';
import type { ForwardedRequest, FromThread, SharedEntry, ThreadSettings, ToThread } from './messages.ts';
import { RemoteRequestHead, RemoteResponder } from './remote-responder.ts';
import { setTimeLimit, timeLimitCells } from './time-limit.ts';

export interface ThreadsOptions extends TransportOptions {
  /** Number of threads besides the main thread. */
  readonly threads: number;
  /** Path of the code of a thread. */
  readonly threadFile: string;
  readonly localPeer?: string | undefined;
  readonly log: Log;
}

export class ThreadsTransport implements Transport {
  readonly name = 'uws';
  readonly sharing: SharedResponses;
  readonly isFramingSure = false;
  readonly keepsUnreadHeads = true;
  readonly #options: ThreadsOptions;
  readonly #library: Library;
  readonly #acceptor: uWS.TemplatedApp;
  readonly #threads: FrontThread[];
  readonly #shared: SharedAnswers;
  #handler: RequestHandler = (res) => res.close();
  #views: ViewEventBuffer | undefined;
  #listening: uWS.us_listen_socket | undefined;

  /** @throws StartupError when the TLS files cannot be used */
  constructor(library: Library, options: ThreadsOptions) {
    const { tls, threads, maxConnections = defaultMaxConnections } = options;
    this.#library = library;
    this.#options = options;
    this.#acceptor = createApp(library, tls);
    this.#shared = new SharedAnswers((message) => {
      for (const thread of this.#threads) thread.post(message);
    });
    this.sharing = this.#shared;
    const settings: ThreadSettings = {
      state: this.#shared.memory,
      localPeer: options.localPeer,
      tls,
      maxConnections: Math.ceil(maxConnections / threads),
    };
    this.#threads = Array.from({ length: threads }, () => this.#start(settings));
  }

  handleWith(handler: RequestHandler): void {
    this.#handler = handler;
  }

  countWith(views: ViewEventBuffer): void {
    this.#views = views;
    views.onStart(() => this.#shared.noteViews());
    views.collectWith(async () => {
      await Promise.all(this.#threads.map((thread) => thread.collectViews()));
    });
  }

  async listen(host: string, port: number): Promise<number> {
    const descriptors = await Promise.all(this.#threads.map(({ ready }) => ready));
    for (const descriptor of descriptors) {
      // The method exists but is missing in the library's types.
      Reflect.apply(Reflect.get(this.#acceptor, 'addChildAppDescriptor'), this.#acceptor, [descriptor]);
    }
    this.#listening = await listen(this.#acceptor, host, port);
    return this.#library.us_socket_local_port(this.#listening);
  }

  stopAccepting(): void {
    if (this.#listening !== undefined) this.#library.us_listen_socket_close(this.#listening);
    this.#listening = undefined;
  }

  async close(): Promise<void> {
    this.#acceptor.close();
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }

  #start(settings: ThreadSettings): FrontThread {
    return new FrontThread(this.#options, settings, {
      onRequest: (thread, request) => this.#handle(thread, request),
      onUsed: (times) => this.#shared.used(times),
      onViews: (views) => this.#views?.pushAll(views),
    });
  }

  #handle(thread: FrontThread, request: ForwardedRequest): void {
    // Read before the handler looks into its caches: what it finds holds at least at this version.
    const version = this.#shared.current();
    const responder = new RemoteResponder(request, {
      post: (message) => thread.post(message),
      onShare: (answer, key, form) => this.#shared.publish(answer, { ...form, key, version }),
      onEnd: () => thread.forget(request.id),
    });
    thread.remember(request.id, responder);
    this.#handler(responder, new RemoteRequestHead(request), request.method);
  }
}

interface ThreadEvents {
  onRequest(thread: FrontThread, request: ForwardedRequest): void;
  onUsed(times: ReadonlyMap<number, number>): void;
  onViews(views: readonly ViewEvent[]): void;
}

/** One thread as the main thread sees it. */
class FrontThread {
  /** The address of its loop, as the library passes it around. */
  readonly ready: Promise<number>;
  readonly #worker: Worker;
  readonly #running = new Map<number, RemoteResponder>();
  readonly #events: ThreadEvents;
  readonly #log: Log;
  /** Those who wait for the views of the thread, in order. */
  #collecting: (() => void)[] = [];
  #resolveReady: (descriptor: number) => void = () => {};

  constructor({ threadFile, log }: ThreadsOptions, settings: ThreadSettings, events: ThreadEvents) {
    this.#events = events;
    this.#log = log;
    this.#worker = new Worker(threadFile, { workerData: settings, name: 'front' });
    this.ready = new Promise((resolve, reject) => {
      this.#resolveReady = resolve;
      // After the start a thread catches its own errors.
      this.#worker.on('error', reject);
    });
    // `listen` gets the error, whenever it asks.
    this.ready.catch(() => {});
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    this.#worker.once('exit', () => {
      for (const resolve of this.#collecting) resolve();
      this.#collecting = [];
    });
  }

  post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  remember(id: number, responder: RemoteResponder): void {
    this.#running.set(id, responder);
  }

  forget(id: number): void {
    this.#running.delete(id);
  }

  /** Resolves when the views have come that the thread has noted. */
  collectViews(): Promise<void> {
    if (this.#worker.threadId < 0) return Promise.resolve();
    this.post({ kind: 'collect' });
    return new Promise((resolve) => {
      this.#collecting.push(resolve);
    });
  }

  async stop(): Promise<void> {
    if (this.#worker.threadId < 0) return;
    const exit = once(this.#worker, 'exit');
    this.post({ kind: 'stop' });
    await exit;
  }

  #receive(message: FromThread): void {
    switch (message.kind) {
      case 'ready':
        this.#resolveReady(message.descriptor);
        break;
      case 'request':
        this.#events.onRequest(this, message);
        break;
      case 'data':
        this.#running.get(message.id)?.received(message.chunk, message.isLast);
        break;
      case 'taken':
        this.#running.get(message.id)?.taken(message.bytes);
        break;
      case 'aborted':
        this.#running.get(message.id)?.aborted();
        break;
      case 'used':
        this.#events.onUsed(message.times);
        break;
      case 'views':
        this.#events.onViews(message.views);
        break;
      case 'collected':
        this.#collecting.shift()?.();
        break;
      case 'failed':
        this.#log.error({ err: message }, 'unexpected error in a thread of the front');
        break;
    }
  }
}

/** The answers that threads give, as the main thread knows them. */
class SharedAnswers implements SharedResponses {
  readonly memory = new SharedArrayBuffer((2 + timeLimitCells) * Int32Array.BYTES_PER_ELEMENT);
  readonly #version = new Int32Array(this.memory);
  readonly #tellAll: (message: ToThread) => void;
  #count: (statusClass: number, times: number) => void = () => {};
  #answers = new Map<number, PublishedResponse>();
  /** Those of the version before, because threads report their use later. */
  #before = new Map<number, PublishedResponse>();
  #numbers = new Map<SharedResponse, number[]>();
  #dropped: number[] = [];
  #isClearing = false;
  #last = 0;

  constructor(tellAll: (message: ToThread) => void) {
    this.#tellAll = tellAll;
  }

  countWith(count: (statusClass: number, times: number) => void): void {
    this.#count = count;
  }

  current(): number {
    return Atomics.load(this.#version, 0);
  }

  /** Lets the threads note views. */
  noteViews(): void {
    Atomics.store(this.#version, 1, 1);
  }

  setLease(ms: number): void {
    setTimeLimit(this.#version, 2, ms);
  }

  keep(bytes: Uint8Array): Uint8Array {
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
    shared.set(bytes);
    return shared;
  }

  invalidate(): void {
    Atomics.add(this.#version, 0, 1);
    if (this.#answers.size === 0) return;
    this.#before = this.#answers;
    this.#answers = new Map();
    this.#numbers = new Map();
    this.#dropped = [];
    if (this.#isClearing) return;
    this.#isClearing = true;
    setImmediate(() => {
      this.#isClearing = false;
      this.#tellAll({ kind: 'clear' });
    });
  }

  drop(answer: SharedResponse): void {
    const numbers = this.#numbers.get(answer);
    if (numbers === undefined) return;
    this.#numbers.delete(answer);
    for (const number of numbers) this.#answers.delete(number);
    if (this.#dropped.push(...numbers) > numbers.length) return;
    setImmediate(() => {
      if (this.#dropped.length > 0) this.#tellAll({ kind: 'drop', entries: this.#dropped });
      this.#dropped = [];
    });
  }

  /** Hands an answer to all threads, unless the version has moved. */
  publish(answer: SharedResponse, entry: Omit<SharedEntry, 'number' | 'expiresAt'>): void {
    if (entry.version !== this.current()) return;
    this.#last += 1;
    const number = this.#last;
    this.#answers.set(number, { answer, statusClass: Number(entry.head[0]) });
    const numbers = this.#numbers.get(answer);
    if (numbers === undefined) this.#numbers.set(answer, [number]);
    else numbers.push(number);
    this.#tellAll({ kind: 'share', entry: { ...entry, number, expiresAt: answer.expiresAt } });
  }

  used(times: ReadonlyMap<number, number>): void {
    for (const [number, count] of times) {
      const given = this.#answers.get(number) ?? this.#before.get(number);
      if (given === undefined) continue;
      given.answer.used(count);
      this.#count(given.statusClass, count);
    }
  }
}

interface PublishedResponse {
  readonly answer: SharedResponse;
  readonly statusClass: number;
}
