import { listIn, parseAnswer } from '../content/source-data.ts';
import type { SourceListResult, SourceListTask } from './messages/sources.ts';

/** The list in the answer of a source, as JSON. */
export async function sourceListTask({ bytes, listPath }: SourceListTask): Promise<SourceListResult> {
  let isJson = false;
  try {
    const value = parseAnswer(bytes);
    isJson = true;
    return { kind: 'list', json: Buffer.from(JSON.stringify(listIn(value, listPath))) };
  } catch (error) {
    return { kind: 'fault', isJson, reason: error instanceof Error ? error.message : String(error) };
  }
}
