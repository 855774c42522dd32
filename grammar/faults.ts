/** A mistake found while the parser runs. The parser does not catch it; parse.ts adds template, line and column. */
export class SyntaxFault extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }

  static unclosed(tag: string, offset: number): SyntaxFault {
    return new SyntaxFault(`{% ${tag} %} is never closed, expected {% end${tag} %}`, offset);
  }
}
