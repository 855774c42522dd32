import { setImmediate as nextTurn } from 'node:timers/promises';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { apiError } from '../../base/errors.ts';
import type { ApiRequest } from '../../http/api-exchange.ts';

export interface FormLimits {
  /** Largest size of the whole body. */
  readonly maxBytes: number;
  readonly maxFiles: number;
}

export interface FormFile {
  /** Name of the form's field. */
  readonly field: string;
  readonly bytes: Uint8Array;
}

/** A multipart form. Field names are keys of a Map, so any name is safe. */
export interface Form {
  readonly fields: ReadonlyMap<string, string>;
  readonly files: readonly FormFile[];
}

export const emptyForm: Form = { fields: new Map(), files: [] };

/** Limits far above any form of the API. */
const maxFields = 100;
const maxFieldBytes = 64 * 1024;

/**
 * Reads the body as `multipart/form-data`, in memory: no temporary file can stay behind.
 *
 * @throws ApiError `common.contentType` for any other body, `common.tooLarge`, `common.invalidForm` for a
 *   form that is cut off, malformed, or has too many or too large parts
 */
export async function readForm(request: ApiRequest, limits: FormLimits): Promise<Form> {
  const type = formType(request);
  if (type === undefined) throw apiError('common.contentType', { expected: 'multipart/form-data' });
  const body = await request.body(limits.maxBytes);
  return parseForm(body, { 'content-type': type }, limits.maxFiles);
}

/** The content type of a request with a form; undefined for every other request. */
export function formType({ headers }: Pick<ApiRequest, 'headers'>): string | undefined {
  const type = headers.get('content-type') ?? '';
  const encoding = headers.get('content-encoding') ?? 'identity';
  const isForm = /^multipart\/form-data[ \t]*;/i.test(type) && encoding.toLowerCase() === 'identity';
  return isForm ? type : undefined;
}

function parseForm(body: Uint8Array, headers: BusboyHeaders, maxFiles: number): Promise<Form> {
  const fields = new Map<string, string>();
  const files: FormFile[] = [];
  return new Promise((resolve, reject) => {
    const refuse = (reason: string): void => reject(apiError('common.invalidForm', { reason }));
    const parser = createFormParser(headers, maxFiles);
    if (typeof parser === 'string') {
      refuse(parser);
      return;
    }
    parser.on('file', (field, stream) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => files.push({ field, bytes: Buffer.concat(chunks) }));
      stream.on('error', (error) => refuse(error.message));
    });
    parser.on('field', (name, value, nameCut, valueCut) => {
      if (nameCut || valueCut) refuse('a field is too large');
      else fields.set(name, value);
    });
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      parser.on(limit, () => refuse('there are too many parts'));
    }
    parser.on('error', (error) => refuse(error instanceof Error ? error.message : 'it is malformed'));
    parser.on('finish', () => resolve({ fields, files }));
    feed(parser, body).catch((error: unknown) =>
      refuse(error instanceof Error ? error.message : 'it is malformed'),
    );
  });
}

/** Bytes that are parsed in one turn of the event loop. */
const bytesPerTurn = 256 * 1024;

async function feed(parser: BusboyInstance, body: Uint8Array): Promise<void> {
  for (let start = bytesPerTurn; start < body.length; start += bytesPerTurn) {
    parser.write(Buffer.from(body.subarray(start - bytesPerTurn, start)));
    await nextTurn();
  }
  parser.end(Buffer.from(body.subarray(body.length - ((body.length - 1) % bytesPerTurn) - 1)));
}

/** The parser, or the reason why the header is not valid. @param maxFileBytes of one file; more are cut off */
export function createFormParser(
  headers: BusboyHeaders,
  maxFiles: number,
  maxFileBytes = Number.POSITIVE_INFINITY,
): BusboyInstance | string {
  const limits = {
    fields: maxFields,
    fieldSize: maxFieldBytes,
    fieldNameSize: 1000,
    files: maxFiles,
    fileSize: maxFileBytes,
    parts: maxFields + maxFiles,
    headerPairs: 20,
    headerSize: 8 * 1024,
  };
  try {
    return new Busboy({ headers, limits });
  } catch (error) {
    return error instanceof Error ? error.message : 'its header is malformed';
  }
}
