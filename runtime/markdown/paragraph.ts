/** Counts in one paragraph what the parser's work grows with. */

interface ParagraphCosts {
  specials: number;
  notes: number;
  pairs: number;
  scans: number;
}

const special = /[*_~[\]!\\&<>`@:.()"'|]|www/gi;

export class ParagraphCounter {
  #length = 0;
  #specials = 0;
  /** Runs of delimiters, and closing brackets. */
  #closers = 0;
  #openers = 0;
  #notes = 0;
  #punctuation = 0;
  #longestWord = 0;
  #hasAddress = false;
  /** Length of the link definition that is open. */
  #definition = 0;
  #longestDefinition = 0;
  #references = 0;

  add(line: string): void {
    this.#length += line.length + 1;
    this.#specials += 1 + count(line, special);
    this.#closers += count(line, /\*+|_+|~+|\]/g);
    this.#openers += count(line, /<|`+|\]\(/g);
    this.#references += count(line, /\]/g);
    this.#addresses(line);
    this.#definitions(line);
    this.#notes += count(line, /\[\^/g);
  }

  /** Adds the costs of the paragraph, and begins another one. */
  end(costs: ParagraphCosts): void {
    if (this.#length === 0) return;
    costs.specials += this.#specials;
    costs.notes += this.#notes;
    costs.pairs += this.#closers * this.#specials;
    costs.scans += this.#openers * this.#length;
    if (this.#hasAddress) costs.scans += this.#punctuation * this.#longestWord;
    this.#length = 0;
    this.#specials = 0;
    this.#closers = 0;
    this.#openers = 0;
    this.#punctuation = 0;
    this.#longestWord = 0;
    this.#hasAddress = false;
    this.#definition = 0;
    this.#notes = 0;
  }

  /** Characters of definitions in the output, if all brackets refer to the longest definition. */
  get repeats(): number {
    return this.#longestDefinition * this.#references;
  }

  /** Punctuation in a web address is read to the next space, to find out whether it ends the address. */
  #addresses(line: string): void {
    this.#hasAddress ||= /www\.|:\/\//i.test(line);
    this.#punctuation += count(line, /[!"&'()*,.:;<>?\]_~]/g);
    for (const word of line.split(/[ \t]+/)) this.#longestWord = Math.max(this.#longestWord, word.length);
  }

  #definitions(line: string): void {
    if (line.includes(']:')) this.#definition = 1;
    if (this.#definition === 0) return;
    this.#definition += line.length + 1;
    this.#longestDefinition = Math.max(this.#longestDefinition, this.#definition);
  }
}

function count(line: string, pattern: RegExp): number {
  return line.match(pattern)?.length ?? 0;
}
