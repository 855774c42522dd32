import { LRUCache } from 'lru-cache';
import { mayHaveDataLinks, mayHaveLinks, mayHaveMediaLinks } from '../../runtime/page/links.ts';
import type {
  CodeWarning,
  MarkupValue,
  ReportedRegion,
  TemplateReport,
  TextReference,
  UnsafeMarkup,
} from '../../runtime/tasks/messages/checks.ts';
import { ApiError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { leveled, type Warning } from '../base/warnings.ts';
import type { CodeFault } from '../processes/sandbox/model.ts';

/** A text of an object that is checked when the object is saved. */
export interface CheckedText {
  /** `function`: the code of a node of a workflow. `markup`: values that pages show as HTML, as JSON. */
  readonly language: 'template' | 'css' | 'js' | 'function' | 'markup';
  /** The field of the object that holds it. */
  readonly field: string;
  /** Its name in warnings: the path of a page, the name of a snippet or asset. */
  readonly name: string;
  readonly source: string;
  /** Whether it is the template of a block type. Default: no. */
  readonly isBlockType?: boolean;
}

type CodeText<Language> = CheckedText & { readonly language: Language };

/** What static analysis found in a text. */
export interface TextReport {
  readonly warnings: readonly Warning[];
  /** Templates only; see `TemplateReport`. */
  readonly rendersBlocks: boolean;
  readonly slots: readonly string[];
  readonly references: readonly TextReference[];
  readonly regions: readonly ReportedRegion[];
  /** What could run code in values. */
  readonly unsafe: readonly UnsafeMarkup[];
  /** True if the analysis failed, which is logged. Then the other fields are empty. */
  readonly failed?: true;
}

/** How texts are analysed, all of them in other processes. */
export interface TextAnalysers {
  template(text: CheckedText): Promise<TemplateReport>;
  code(text: CodeText<'css' | 'js' | 'function'>): Promise<readonly CodeWarning[]>;
  /** What keeps the code of a node from being compiled. */
  function(source: string): Promise<CodeFault | undefined>;
  markup(values: readonly MarkupValue[]): Promise<readonly UnsafeMarkup[]>;
}

/** The identity of a text: texts with the same key have the same report. */
export function computeTextKey({ language, field, name, source, isBlockType }: CheckedText): string {
  return `${language}${isBlockType === true ? ' block' : ''}\n${language === 'function' ? field : ''}\n${name}\n${source}`;
}

/** Values as a text to be checked for what could run code. */
export function toMarkupText(values: readonly MarkupValue[]): CheckedText {
  return { language: 'markup', field: '', name: '', source: JSON.stringify(values) };
}

/** Size limit of the report cache, in characters of names and texts. */
const rememberedCharacters = 8 * 2 ** 20;

/**
 * Static analysis of texts for the services. The compiler and the parsers of CSS and JS run in a render worker, code of
 * nodes is compiled in a sandbox.
 *
 * Reports are cached by language, name and text: most saves change at most one text of an object, and only the
 * changed text goes to the pool. A report also depends on the existing snippets and assets; `forget` clears
 * the cache when these change.
 */
export class TextAnalysis {
  readonly #analysers: TextAnalysers;
  readonly #log: Log;
  readonly #known = new LRUCache<string, TextReport | Promise<TextReport>>({
    maxSize: rememberedCharacters,
    sizeCalculation: (_report, key) => key.length,
  });

  constructor(analysers: TextAnalysers, log: Log) {
    this.#analysers = analysers;
    this.#log = log;
  }

  /** The report, at once if it is known. @throws the error of the worker, e.g. `common.busy`; not cached */
  report(text: CheckedText): TextReport | Promise<TextReport> {
    if (!needsAnalysis(text)) return nothingToReport;
    const key = computeTextKey(text);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const report = this.#analyse(text);
    this.#known.set(key, report);
    report.then(
      (made) => this.#replace(key, report, made),
      () => this.#replace(key, report, undefined),
    );
    return report;
  }

  /**
   * For a save: a text whose analysis ends its worker gets an empty report, and the error is logged.
   *
   * @throws ApiError `common.busy`
   */
  reportForSave(text: CheckedText): TextReport | Promise<TextReport> {
    const report = this.report(text);
    if (!(report instanceof Promise)) return report;
    return report.catch((error: unknown) => {
      if (error instanceof ApiError) throw error;
      return this.#failed(text, error);
    });
  }

  /** For the answer to a save, which stands: every failure is logged and gives an empty report. */
  async reportOfSaved(text: CheckedText): Promise<TextReport> {
    try {
      return await this.report(text);
    } catch (error) {
      return this.#failed(text, error);
    }
  }

  /** Clears the cache. Must be called when objects that templates can name have changed. */
  forget(): void {
    this.#known.clear();
  }

  async #analyse(text: CheckedText): Promise<TextReport> {
    const { language, source } = text;
    if (language === 'function') return this.#analyseFunction({ ...text, language });
    if (language === 'markup')
      // Type boundary: only `toMarkupText` makes such a text.
      return {
        ...nothingToReport,
        unsafe: await this.#analysers.markup(JSON.parse(source) as MarkupValue[]),
      };
    if (language !== 'template') {
      const warnings = await this.#analysers.code({ ...text, language });
      return { ...nothingToReport, warnings: warnings.map(leveled) };
    }
    const { warnings, ...report } = await this.#analysers.template(text);
    return { ...report, warnings: warnings.map(leveled), unsafe: [] };
  }

  async #analyseFunction(text: CodeText<'function'>): Promise<TextReport> {
    const { name, field, source } = text;
    const fault = await this.#analysers.function(source);
    if (fault !== undefined) return functionReport(text, fault);
    if (!mayCallAsynchronously.test(source)) return nothingToReport;
    const warnings = (await this.#analysers.code(text)).map(({ code, error, params }) =>
      leveled({ code, error: `node "${name}", ${error}`, params: { node: field, ...params } }),
    );
    return { ...nothingToReport, warnings };
  }

  /** Puts a report in the place of its promise, or forgets a failure. */
  #replace(key: string, promise: Promise<TextReport>, report: TextReport | undefined): void {
    if (this.#known.peek(key) !== promise) return;
    if (report === undefined) this.#known.delete(key);
    else this.#known.set(key, report);
  }

  #failed({ name, field }: CheckedText, error: unknown): TextReport {
    this.#log.error({ err: error, text: name, field }, 'a text could not be analysed');
    return { ...nothingToReport, failed: true };
  }
}

const nothingToReport: TextReport = {
  warnings: [],
  rendersBlocks: false,
  slots: [],
  references: [],
  regions: [],
  unsafe: [],
};

/** Code without a word of it needs no parser. */
const mayCallAsynchronously = /\b(?:store|idb)\b/;

/** Code that does not parse may be saved; the run then fails. The field of a node's code is the node. */
function functionReport({ name, field }: CheckedText, fault: CodeFault): TextReport {
  const { line, column, message } = fault;
  const error = `node "${name}", line ${line}, column ${column}: ${message}`;
  const params = { node: field, line, column, message };
  return { ...nothingToReport, warnings: [leveled({ code: 'workflow.codeSyntax', error, params })] };
}

/** Template text without tags and links is printed as it is, so it is not sent to the pool. */
function needsAnalysis({ language, source }: CheckedText): boolean {
  if (language !== 'template') return source !== '';
  return (
    /\{[{%#]/.test(source) || mayHaveLinks(source) || mayHaveMediaLinks(source) || mayHaveDataLinks(source)
  );
}
