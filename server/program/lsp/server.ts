/** The language server: speaks the protocol, and asks `features.ts`. Positions are in UTF-16 units. */
import { fileURLToPath } from 'node:url';
import {
  type CompletionItem,
  CompletionItemKind,
  type Connection,
  createConnection,
  type Diagnostic,
  DiagnosticSeverity,
  DidChangeWatchedFilesNotification,
  DocumentDiagnosticReportKind,
  ErrorCodes,
  type InitializeParams,
  type InitializeResult,
  type Location,
  type Position,
  ResponseError,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
  TextDocuments,
  TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { FolderFinding } from '../../features/folders/format/content.ts';
import {
  explain,
  findDefinitions,
  findReferences,
  formatFile,
  listOffers,
  type Offer,
  planRename,
  type Target,
  type TextSource,
  toSource,
} from './features.ts';
import { FolderWorkspace, type OpenFile } from './folder-workspace.ts';

/** Serves until the client ends it. */
export function serveLanguage(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): void {
  const connection = createConnection(input, output);
  new LanguageServer(connection).listen();
}

const kinds: Readonly<Record<Offer['kind'], CompletionItemKind>> = {
  snippet: CompletionItemKind.File,
  block: CompletionItemKind.Class,
  collection: CompletionItemKind.Struct,
  file: CompletionItemKind.File,
  asset: CompletionItemKind.File,
  page: CompletionItemKind.File,
  tag: CompletionItemKind.Keyword,
  filter: CompletionItemKind.Function,
  function: CompletionItemKind.Function,
  name: CompletionItemKind.Variable,
  variable: CompletionItemKind.Variable,
  member: CompletionItemKind.Field,
};

class LanguageServer {
  readonly #connection: Connection;
  readonly #documents = new TextDocuments(TextDocument);
  #workspace = new FolderWorkspace(undefined);
  #canWatch = false;
  #isPulled = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  listen(): void {
    const connection = this.#connection;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(() => this.#watch());
    connection.onDidChangeWatchedFiles(() => this.#reload());
    this.#documents.onDidChangeContent(({ document }) => this.#take(document));
    this.#documents.onDidSave(() => this.#reload());
    this.#documents.onDidClose(({ document }) => this.#release(document.uri));
    connection.languages.diagnostics.on(async ({ textDocument }) => ({
      kind: DocumentDiagnosticReportKind.Full,
      items: [...(await this.#inspect(textDocument.uri))],
    }));
    connection.onCompletion((params) => this.#complete(params));
    connection.onHover((params) => this.#hover(params));
    connection.onDefinition((params) => this.#locate(params, findDefinitions));
    connection.onReferences((params) => this.#locate(params, findReferences));
    connection.onRenameRequest((params) => this.#rename(params, params.newName));
    connection.onDocumentFormatting(({ textDocument }) => this.#format(textDocument.uri));
    this.#documents.listen(connection);
    connection.listen();
  }

  async #initialize({
    capabilities,
    workspaceFolders,
    rootUri,
  }: InitializeParams): Promise<InitializeResult> {
    const uri = workspaceFolders?.[0]?.uri ?? rootUri ?? undefined;
    this.#workspace = new FolderWorkspace(uri?.startsWith('file:') ? fileURLToPath(uri) : undefined);
    this.#canWatch = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    this.#isPulled = capabilities.textDocument?.diagnostic !== undefined;
    await this.#workspace.reload();
    return {
      serverInfo: { name: 'incipit' },
      capabilities: {
        positionEncoding: 'utf-16',
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false },
        completionProvider: { triggerCharacters: ['.', '|', '"', "'", '%', '{', ' '] },
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        renameProvider: true,
        documentFormattingProvider: true,
      },
    };
  }

  async #watch(): Promise<void> {
    if (!this.#canWatch) return;
    await this.#connection.client.register(DidChangeWatchedFilesNotification.type, {
      watchers: [{ globPattern: '**/*' }],
    });
  }

  async #reload(): Promise<void> {
    await this.#workspace.reload();
    await this.#publishAll();
  }

  async #take(document: TextDocument): Promise<void> {
    await this.#workspace.take(document);
    await this.#publish(document.uri);
    // Others may name what has changed here.
    for (const uri of this.#workspace.listOpen()) if (uri !== document.uri) await this.#publish(uri);
  }

  async #release(uri: string): Promise<void> {
    this.#workspace.release(uri);
    await this.#connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  async #publishAll(): Promise<void> {
    for (const uri of this.#workspace.listOpen()) await this.#publish(uri);
    if (this.#isPulled) this.#connection.languages.diagnostics.refresh();
  }

  async #publish(uri: string): Promise<void> {
    const version = this.#workspace.find(uri)?.version;
    const diagnostics = [...(await this.#inspect(uri))];
    await this.#connection.sendDiagnostics({
      uri,
      diagnostics,
      ...(version === undefined ? {} : { version }),
    });
  }

  async #inspect(uri: string): Promise<readonly Diagnostic[]> {
    const document = this.#documents.get(uri);
    if (document === undefined) return [];
    return (await this.#workspace.inspect(uri)).map((finding) => toDiagnostic(finding, document));
  }

  #complete(params: TextDocumentPositionParams): CompletionItem[] {
    const found = this.#find(params);
    if (found === undefined) return [];
    return listOffers(found.source, found.offset, this.#workspace).map(({ label, kind, about, length }) => ({
      label,
      kind: kinds[kind],
      ...(about === '' ? {} : { documentation: { kind: 'markdown', value: about } }),
      textEdit: TextEdit.replace({ start: moveBack(params.position, length), end: params.position }, label),
    }));
  }

  #hover(params: TextDocumentPositionParams) {
    const found = this.#find(params);
    const told = found && explain(found.source, found.offset, this.#workspace);
    if (found === undefined || told === undefined) return null;
    return {
      contents: { kind: 'markdown' as const, value: told.about },
      range: this.#toRange(found.open, told),
    };
  }

  #locate(
    params: TextDocumentPositionParams,
    find: (source: TextSource, offset: number, workspace: FolderWorkspace) => readonly Target[],
  ): Location[] {
    const found = this.#find(params);
    if (found === undefined) return [];
    return find(found.source, found.offset, this.#workspace).flatMap(
      (target) => this.#toLocation(target) ?? [],
    );
  }

  #rename(params: TextDocumentPositionParams, name: string): WorkspaceEdit {
    const found = this.#find(params);
    const plan = found
      ? planRename(found.source, found.offset, name, this.#workspace)
      : 'Nothing is named here.';
    if (typeof plan === 'string') throw new ResponseError(ErrorCodes.InvalidParams, plan);
    const changes = plan.edits.flatMap((target) => {
      const location = this.#toLocation(target);
      return location === undefined ? [] : [location];
    });
    const files = Map.groupBy(changes, ({ uri }) => uri);
    const edits = [...files].map(([uri, locations]) => ({
      textDocument: { uri, version: this.#documents.get(uri)?.version ?? null },
      edits: locations.map(({ range }) => TextEdit.replace(range, name)),
    }));
    if (plan.file === undefined) return { documentChanges: edits };
    const { from, to } = plan.file;
    const rename = {
      kind: 'rename' as const,
      oldUri: this.#workspace.toUri(from),
      newUri: this.#workspace.toUri(to),
    };
    return { documentChanges: [...edits, rename] };
  }

  #format(uri: string): TextEdit[] {
    const open = this.#workspace.find(uri);
    // What is not understood would be lost.
    if (open?.object === undefined || open.findings.length > 0) return [];
    const text = open.document.getText();
    const formatted = formatFile(open.object, text, this.#workspace);
    if (formatted === undefined) return [];
    return [
      TextEdit.replace(
        { start: { line: 0, character: 0 }, end: open.document.positionAt(text.length) },
        formatted,
      ),
    ];
  }

  /** The template at a position, with its offset in it; undefined in front matter and in other files. */
  #find({ textDocument, position }: TextDocumentPositionParams) {
    const open = this.#workspace.find(textDocument.uri);
    const source = toSource(open?.object);
    if (open === undefined || source === undefined) return undefined;
    const text = open.document.getText();
    const before = text.slice(0, open.document.offsetAt(position)).replaceAll('\r\n', '\n');
    const offset = before.length - (text.replaceAll('\r\n', '\n').length - source.text.length);
    return offset < 0 ? undefined : { open, source, offset };
  }

  #toRange(
    { object }: Pick<OpenFile, 'object'>,
    { start, end }: { readonly start: number; readonly end: number },
  ) {
    const source = toSource(object);
    const place = source?.object.places[source.object.kind === 'page' ? 'html' : 'content'];
    const at = (offset: number): Position => {
      const lines = (source?.text ?? '').slice(0, offset).split('\n');
      return { line: (place?.line ?? 1) - 2 + lines.length, character: lines.at(-1)?.length ?? 0 };
    };
    return { start: at(start), end: at(end) };
  }

  #toLocation({ path, range }: Target): Location | undefined {
    const uri = this.#workspace.toUri(path);
    const object = this.#workspace.world.content.objects.get(path);
    if (object === undefined) return undefined;
    const whole = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    return { uri, range: range === undefined ? whole : this.#toRange({ object }, range) };
  }
}

/** A finding says where something begins; an editor marks the word there. */
function toDiagnostic(
  { line, column, level, code, message }: FolderFinding,
  document: TextDocument,
): Diagnostic {
  const start = { line: line - 1, character: column - 1 };
  const rest = document.getText({ start, end: { line: line, character: 0 } });
  const word =
    /^(?:\{[%{]-?\s*\w*|[\w.-]+|"[^"\n]*"|'[^'\n]*')/.exec(rest)?.[0] ?? rest.slice(0, 1).trimEnd();
  return {
    range: { start, end: { line: start.line, character: start.character + word.length } },
    severity: level === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    code,
    source: 'incipit',
    message,
  };
}

function moveBack({ line, character }: Position, length: number): Position {
  return { line, character: Math.max(0, character - length) };
}
