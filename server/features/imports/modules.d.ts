declare module 'html-encoding-sniffer' {
  /** The encoding of an HTML document by the rules of the standard; a name such as `UTF-8`. */
  export default function sniffHtmlEncoding(
    bytes: Uint8Array,
    options: { readonly transportLayerEncodingLabel?: string; readonly defaultEncoding?: string },
  ): string;
}
declare module 'css-tree/tokenizer' {
  export { tokenize, tokenTypes } from 'css-tree';
}
declare module 'css-tree/utils' {
  interface Coding {
    encode(text: string): string;
    decode(text: string): string;
  }
  export const string: Coding;
  export const url: Coding;
}
declare module 'robots-parser' {
  interface Robots {
    /** Undefined if the address belongs to another host. */
    isAllowed(url: string, agent: string): boolean | undefined;
    /** In seconds. */
    getCrawlDelay(agent: string): number | undefined;
    getSitemaps(): string[];
  }
  export default function robotsParser(url: string, text: string): Robots;
}
