import type { Socket } from 'node:net';
import { plainRefusal } from '../answers.ts';
import { maxHeaders, type RequestHandler, type RequestHead } from '../transport.ts';
import type { HeadEnds } from './head-ends.ts';
import type { Llhttp } from './llhttp.ts';
import { type ParsedHead, type ParseOutcome, RequestParser, type RequestSink } from './request-parser.ts';
import { type AnswerConnection, NodeResponder } from './responder.ts';
import { SocketWriter } from './socket-writer.ts';

/** What all connections of a transport share. */
export interface ConnectionShare {
  readonly llhttp: Llhttp;
  readonly headEnds: HeadEnds;
  readonly handler: RequestHandler;
  /** Whether the sockets encrypt. */
  readonly isSecure: boolean;
  /** Whether no further request is wanted on any connection. */
  isStopping: boolean;
  /** How long a connection may be silent, and how long a head may take, in ticks. */
  readonly keepAliveTicks: number;
  readonly headTicks: number;
  /** How long a client may take nothing of what was written for it. */
  readonly unreadMs: number;
}

/** A request that came before the one before it was answered. */
interface HeldRequest {
  readonly head: ParsedHead;
  readonly method: string;
  readonly version: number;
  readonly keepAlive: boolean;
}

/** The requests of one connection, answered one after the other. */
export class NodeConnection implements RequestSink, AnswerConnection {
  readonly writer: SocketWriter;
  readonly #socket: Socket;
  readonly #share: ConnectionShare;
  readonly #parser: RequestParser;
  /** The answer to the newest request. */
  #newest: NodeResponder | undefined;
  #held: HeldRequest | undefined;
  /** Whether the head, or the body, of a request is on its way. */
  #isInHead = false;
  #isInBody = false;
  #isReadingPaused = false;
  /** Whether nothing more is read, because the connection closes. */
  #isClosing = false;
  /** Whether the client has ended its side. */
  #hasEnded = false;
  /** How long nothing has happened. */
  #ticks = 0;
  /** Whether the socket looks after how long the client takes nothing. */
  #isUnread = false;
  #peer: string | undefined;

  /** @param onClose called when the connection has ended */
  constructor(socket: Socket, share: ConnectionShare, onClose: () => void) {
    this.#socket = socket;
    this.#share = share;
    this.writer = new SocketWriter(socket, share.isSecure, () => this.#newest?.taken());
    this.#parser = new RequestParser(share.llhttp, this);
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.on('end', () => this.#onClientEnd());
    // `close` follows.
    socket.on('error', () => {});
    socket.on('timeout', () => this.destroy());
    socket.on('close', () => {
      this.#isClosing = true;
      this.#newest?.abort();
      this.#parser.free();
      onClose();
    });
  }

  get headEnds(): HeadEnds {
    return this.#share.headEnds;
  }

  get peer(): string {
    this.#peer ??= this.#socket.remoteAddress ?? '';
    return this.#peer;
  }

  pauseReading(): void {
    this.#isReadingPaused = true;
    this.#socket.pause();
  }

  resumeReading(): void {
    this.#isReadingPaused = false;
    if (this.#held === undefined) this.#socket.resume();
  }

  destroy(): void {
    this.#isClosing = true;
    this.#socket.destroy();
  }

  /** No further request is wanted: closes, after the answer that is on its way. */
  stop(): void {
    const isReceiving = this.#isInHead || this.#isInBody || this.#held !== undefined;
    if (!isReceiving && this.#newest?.isEnded !== false) this.#closeSoon();
  }

  onAnswered(): void {
    this.#ticks = 0;
    if (this.#isReadingPaused) this.resumeReading();
    const isLast = this.#newest?.isLast === true || this.#hasEnded;
    if (isLast || (this.#share.isStopping && !this.#isInBody && this.#held === undefined)) this.#closeSoon();
  }

  onStart(): void {
    this.#isInHead = true;
    this.#ticks = 0;
  }

  onHead(head: ParsedHead, method: string, version: number, keepAlive: boolean): boolean {
    this.#isInHead = false;
    this.#isInBody = true;
    if (this.#isClosing) return false;
    if (this.#newest?.isEnded === false || this.#mustDrain) {
      this.#held = { head: head.copy(), method, version, keepAlive };
      this.#socket.pause();
      setImmediate(() => this.#startHeld());
      return false;
    }
    this.#start(head, method, version, keepAlive);
    return !this.#isClosing;
  }

  onBody(part: Buffer): void {
    this.#newest?.receive(part);
  }

  onEnd(): void {
    this.#isInBody = false;
    this.#ticks = 0;
    this.#newest?.receiveEnd();
  }

  /** Looks whether the connection has been silent for too long. Called at equal intervals. */
  tick(): void {
    this.#boundUnread();
    if (this.#isClosing) return;
    const isAnswered = this.#newest?.isEnded !== false && !this.writer.isBlocked;
    if (!isAnswered || this.#held !== undefined) {
      this.#ticks = 0;
      return;
    }
    this.#ticks++;
    const { headTicks, keepAliveTicks } = this.#share;
    if (this.#isInHead && this.#ticks > headTicks) this.#refuse('408 Request Timeout');
    else if (!this.#isInHead && this.#ticks > (this.#newest === undefined ? headTicks : keepAliveTicks))
      this.destroy();
  }

  /** Whether the client must first take what has been written for it. */
  get #mustDrain(): boolean {
    return this.#socket.writableNeedDrain && this.writer.isBlocked;
  }

  /** The socket alone knows whether the client takes parts of what was written; also before a connection closes. */
  #boundUnread(): void {
    const isUnread = this.writer.isBlocked;
    if (isUnread === this.#isUnread) return;
    this.#isUnread = isUnread;
    this.#socket.setTimeout(isUnread ? this.#share.unreadMs : 0);
  }

  #receive(bytes: Buffer): void {
    if (this.#isClosing) return;
    this.writer.beginBatch();
    try {
      this.#conclude(this.#parser.parse(bytes));
    } finally {
      this.writer.endBatch();
    }
  }

  #conclude(parsed: ParseOutcome): void {
    if (parsed === 'malformed') this.#refuse('400 Bad Request');
    else if (parsed === 'tooLarge') this.#refuse('431 Request Header Fields Too Large');
  }

  #start(head: ParsedHead, method: string, version: number, keepAlive: boolean): void {
    const responder = new NodeResponder(this, !keepAlive || this.#share.isStopping);
    this.#newest = responder;
    const refusal = refusalOf(head, method, version);
    if (refusal !== undefined) {
      responder.writeStatus(headOf(refusal)).end(refusal, true);
      return;
    }
    this.#share.handler(responder, head, method);
    if (!responder.isEnded && !responder.hasHead && expectsContinue(head)) {
      this.writer.text('HTTP/1.1 100 Continue\r\n\r\n');
      this.writer.settle();
    }
  }

  /**
   * Starts a request that came too early if the one before has been answered by now. It is not waited for longer: the
   * client sends what is unanswered again, on another connection.
   */
  #startHeld(): void {
    const held = this.#held;
    if (held === undefined || this.#isClosing) return;
    if (this.#newest?.isEnded === false) {
      this.destroy();
    } else if (this.#mustDrain) {
      this.#socket.once('drain', () => this.#startHeld());
    } else {
      this.#held = undefined;
      this.writer.beginBatch();
      try {
        this.#start(held.head, held.method, held.version, held.keepAlive);
        if (!this.#isClosing) this.#conclude(this.#parser.resume());
      } finally {
        this.writer.endBatch();
      }
      if (this.#held === undefined && !this.#isReadingPaused) this.#socket.resume();
    }
  }

  /** Answers what cannot be read, unless something else is on its way to the client. */
  #refuse(status: string): void {
    const newest = this.#newest;
    if (this.#isClosing) return;
    if (newest?.isEnded === false) {
      if (!this.#isInBody) {
        // The broken request is not the one that waits for its answer, which is the last one.
        newest.closeAfterwards();
        return;
      }
      if (newest.hasHead) {
        this.destroy();
        return;
      }
      newest.abort();
    } else if (this.#isInBody) {
      // Its answer has been given.
      this.#closeSoon();
      return;
    }
    const responder = new NodeResponder(this, true);
    this.#newest = responder;
    responder.writeStatus(headOf(status)).end(status, true);
  }

  /** Answers what has come whole, and closes. */
  #onClientEnd(): void {
    this.#hasEnded = true;
    const isAnswered = this.#newest?.isEnded !== false;
    // Such an answer may have no end.
    if (!isAnswered && this.#newest?.isChunked === true) this.destroy();
    else if (this.#isInHead || this.#isInBody) this.#refuse('400 Bad Request');
    else if (isAnswered) this.#closeSoon();
  }

  /** Closes when everything that was written has been sent. */
  #closeSoon(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.writer.flush();
    this.#socket.destroySoon();
  }
}

function refusalOf(head: ParsedHead, method: string, version: number): string | undefined {
  if (version !== 11) return '505 HTTP Version Not Supported';
  if (head.headerCount > maxHeaders) return '431 Request Header Fields Too Large';
  return method === 'CONNECT' ? '405 Method Not Allowed' : undefined;
}

function expectsContinue(head: RequestHead): boolean {
  return head.getHeader('expect').toLowerCase() === '100-continue';
}

function headOf(status: string): string {
  const lines = plainRefusal(status).headers.map(([name, value]) => `\r\n${name}: ${value}`);
  return status + lines.join('') + (status.startsWith('405') ? '\r\nAllow: GET, HEAD' : '');
}
