/** Uploads in parts that were begun and neither completed nor aborted. They take room, and no listing shows them. */
import { apiError } from '../../base/errors.ts';
import type { S3Client } from './client.ts';
import { parseXml } from './errors.ts';
import { at, decodeName, textAt } from './xml.ts';

export interface UnfinishedUpload {
  /** Name of the object, with the prefix. */
  readonly name: string;
  readonly uploadId: string;
}

/** All of the bucket whose names begin with a prefix. @throws ApiError as `S3Client.send` */
export async function* listUnfinished(client: S3Client, prefix: string): AsyncGenerator<UnfinishedUpload> {
  let markers: Record<string, string> = {};
  for (let isCut = true; isCut; ) {
    const query = { uploads: '', 'encoding-type': 'url', prefix, ...markers };
    const result = at(
      parseXml(await client.sendForText({ method: 'GET', query })),
      'ListMultipartUploadsResult',
    );
    if (result === undefined)
      throw apiError('storage.checkFailed', { error: 'it does not list uploads in parts as S3 does' });
    const uploads = at(result, 'Upload');
    for (const upload of Array.isArray(uploads) ? uploads : [])
      yield { name: decodeName(textAt(upload, 'Key') ?? ''), uploadId: textAt(upload, 'UploadId') ?? '' };
    markers = {
      'key-marker': decodeName(textAt(result, 'NextKeyMarker') ?? ''),
      'upload-id-marker': textAt(result, 'NextUploadIdMarker') ?? '',
    };
    isCut = textAt(result, 'IsTruncated') === 'true' && markers['key-marker'] !== '';
  }
}
