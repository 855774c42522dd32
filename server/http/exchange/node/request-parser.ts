import { maxHeaderBytes, maxHeaders, type RequestHead } from '../transport.ts';
import { type Llhttp, maxParsedBytes, type ParserEvents, parserCodes } from './llhttp.ts';
import { HeadCopy, HeadView } from './request-head.ts';

/** A head as the parser hands it over. */
export interface ParsedHead extends RequestHead {
  readonly headerCount: number;
  /** The same head, valid as long as it is held. */
  copy(): HeadCopy;
}

/** Gets the requests of one connection. */
export interface RequestSink {
  /** The first byte of a request has come. */
  onStart(): void;
  /**
   * @param version 11 for HTTP/1.1
   * @param keepAlive whether the client lets the connection stay open
   * @returns whether parsing goes on now; else after `resume`
   */
  onHead(head: ParsedHead, method: string, version: number, keepAlive: boolean): boolean;
  /** A part of the body, valid during the call. */
  onBody(part: Buffer): void;
  onEnd(): void;
}

/** What has become of bytes: read, kept until `resume`, or the connection cannot be read any more. */
export type ParseOutcome = 'read' | 'paused' | 'malformed' | 'tooLarge';

type Part = 'none' | 'target' | 'name' | 'value';

/** One object lies over the bytes that are being parsed, whatever their connection. */
const headView = new HeadView();

/** Reads the requests of one connection. */
export class RequestParser implements ParserEvents {
  readonly #llhttp: Llhttp;
  readonly #sink: RequestSink;
  readonly #parser: number;
  /** What is being parsed, and what is left of it after a pause. */
  #bytes: Buffer = empty;
  #isInHead = false;
  /** What came last of the head, or of the trailers. */
  #last: Part = 'none';
  /** The pieces of a head that came before, if there are any. */
  #pieces: HeadPieces | undefined;
  #headBytes = 0;
  #isTooLarge = false;

  constructor(llhttp: Llhttp, sink: RequestSink) {
    this.#llhttp = llhttp;
    this.#sink = sink;
    this.#parser = llhttp.create();
  }

  /** To be called once, not within an event. */
  free(): void {
    this.#llhttp.free(this.#parser);
  }

  parse(bytes: Buffer): ParseOutcome {
    let from = 0;
    // Once also without bytes: a paused parser may have something to tell.
    do {
      const piece =
        from === 0 && bytes.length <= maxParsedBytes ? bytes : bytes.subarray(from, from + maxParsedBytes);
      this.#bytes = piece;
      if (this.#isInHead) headView.begin(piece);
      const code = this.#llhttp.execute(this.#parser, piece, this);
      this.#bytes = empty;
      if (code === parserCodes.ok) {
        if (this.#isInHead) this.#keepPieces();
        from += piece.length;
      } else if (code === parserCodes.pausedForUpgrade) {
        // Nobody changes the protocol here: what follows is the next request (RFC 9110, 7.8).
        from += this.#llhttp.stoppedAt(this.#parser);
        this.#llhttp.resumeAfterUpgrade(this.#parser);
      } else if (code === parserCodes.paused) {
        this.#bytes = bytes.subarray(from + this.#llhttp.stoppedAt(this.#parser));
        return 'paused';
      } else return this.#isTooLarge ? 'tooLarge' : 'malformed';
    } while (from < bytes.length);
    return 'read';
  }

  /** Goes on after a pause. */
  resume(): ParseOutcome {
    this.#llhttp.resume(this.#parser);
    return this.parse(this.#bytes);
  }

  onMessageBegin(): number {
    this.#isInHead = true;
    this.#last = 'none';
    this.#headBytes = 0;
    headView.begin(this.#bytes);
    this.#sink.onStart();
    return parserCodes.ok;
  }

  onUrl(at: number, length: number): number {
    return this.#add('target', at, length);
  }

  onHeaderName(at: number, length: number): number {
    return this.#add('name', at, length);
  }

  onHeaderValue(at: number, length: number): number {
    return this.#add('value', at, length);
  }

  onHeadersComplete(keepAlive: boolean): number {
    this.#isInHead = false;
    // From here on the bytes of trailers are counted.
    this.#headBytes = 0;
    const head = this.#pieces?.head() ?? headView;
    this.#pieces = undefined;
    const method = this.#llhttp.methodOf(this.#parser);
    const version = this.#llhttp.versionOf(this.#parser);
    return this.#sink.onHead(head, method, version, keepAlive) ? parserCodes.ok : parserCodes.paused;
  }

  onBody(at: number, length: number): number {
    this.#sink.onBody(this.#bytes.subarray(at, at + length));
    return parserCodes.ok;
  }

  onMessageComplete(): number {
    this.#sink.onEnd();
    return parserCodes.ok;
  }

  /** Runs twice for every header, so what is rare is elsewhere. */
  #add(part: Part, at: number, length: number): number {
    this.#headBytes += length;
    if (this.#headBytes > maxHeaderBytes) return this.#refuseAsTooLarge();
    // Nobody reads trailers.
    if (!this.#isInHead) return parserCodes.ok;
    if (part === this.#last || this.#pieces !== undefined) return this.#addPiece(part, at, length);
    this.#last = part;
    return headView.add(at, length) ? parserCodes.ok : this.#refuseAsTooLarge();
  }

  #addPiece(part: Part, at: number, length: number): number {
    const isContinued = part === this.#last;
    this.#last = part;
    if (this.#pieces === undefined) return headView.extend(at, length) ? parserCodes.ok : parserCodes.error;
    const text = this.#bytes.toString('latin1', at, at + length);
    return this.#pieces.add(isContinued, text) ? parserCodes.ok : this.#refuseAsTooLarge();
  }

  #refuseAsTooLarge(): number {
    this.#isTooLarge = true;
    return parserCodes.error;
  }

  /** The next piece comes with other bytes. */
  #keepPieces(): void {
    this.#pieces ??= new HeadPieces(headView.texts());
  }
}

const empty = Buffer.alloc(0);

/** A target, and names and values of one header more than may be. */
const maxTexts = 1 + 2 * (maxHeaders + 1);

/** A head that comes in pieces. */
class HeadPieces {
  /** The target, and names and values in turn, as far as they have come. */
  readonly #texts: string[];

  constructor(texts: string[]) {
    this.#texts = texts;
  }

  /** Adds a text, or to the last one; false if there are too many. */
  add(isContinued: boolean, text: string): boolean {
    if (isContinued) this.#texts.push((this.#texts.pop() ?? '') + text);
    else if (this.#texts.length < maxTexts) this.#texts.push(text);
    else return false;
    return true;
  }

  head(): HeadCopy {
    return new HeadCopy(this.#texts[0] ?? '', this.#texts.slice(1));
  }
}
