import { createHash, randomUUID } from 'node:crypto';
import { apiError } from '../../base/errors.ts';
import { discard } from '../../http/outgoing/answer.ts';
import { S3Client, type S3ClientOptions, textBody } from './client.ts';
import type { S3Config } from './config.ts';

/**
 * Checks that objects can be written, read and deleted in a bucket, with an object that no media has.
 *
 * @throws ApiError with the code of the storage that fits
 */
export async function probeConfig(config: S3Config, options: S3ClientOptions): Promise<void> {
  const client = new S3Client(config, options);
  const key = `.incipit-probe-${randomUUID()}`;
  const text = createHash('sha256').update(key).digest('hex');
  discard((await client.send({ method: 'PUT', key, body: textBody(text) })).body);
  try {
    const found = await client.sendForText({ method: 'GET', key });
    if (found !== text)
      throw apiError('storage.checkFailed', { error: 'an object is not read as it was written' });
  } finally {
    discard((await client.send({ method: 'DELETE', key, expected: [404] })).body);
  }
}
