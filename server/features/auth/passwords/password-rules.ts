import { join } from 'node:path';
import { characterCount } from '../../../../runtime/filters/shared/values.ts';
import type { PasswordWeakness } from '../../../base/error-codes/access.ts';
import { type ApiError, apiError } from '../../../base/errors.ts';
import type { StreamInThread } from '../../../base/thread-stream.ts';
import { listSites } from '../../../content/sites/service.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { EstimateTask } from './estimate.ts';
import { guessableWords, holdsName, type PasswordOwner } from './names.ts';

export const passwordLimits = { min: 12, max: 1024 } as const;

export interface PasswordRulesDeps {
  readonly reader: ContentDb;
  readonly streamInThread: StreamInThread;
}

/** What a new password must be. Passwords that are stored already stay valid. */
export class PasswordRules {
  readonly #deps: PasswordRulesDeps;

  constructor(deps: PasswordRulesDeps) {
    this.#deps = deps;
  }

  /** @throws ApiError `auth.passwordTooShort`, `auth.passwordTooLong`, `auth.passwordWeak` */
  async check(password: string, owner: PasswordOwner): Promise<void> {
    checkLength(password);
    const sites = await listSites(this.#deps.reader);
    if (holdsName(password, owner, sites)) throw weakPassword('name');
    const weakness = await this.#estimate({ password, words: guessableWords(owner, sites) });
    if (weakness !== undefined) throw weakPassword(weakness);
  }

  async #estimate(input: EstimateTask): Promise<PasswordWeakness | undefined> {
    const filename = join(import.meta.dirname, 'thread.ts');
    const parts = this.#deps.streamInThread<{ readonly weakness: PasswordWeakness | '' }>({
      ...{ filename, input, transfer: [] },
    });
    for await (const { weakness } of parts) return weakness === '' ? undefined : weakness;
    throw new Error('the estimator of passwords ended without an estimate');
  }
}

/** @throws ApiError `auth.passwordTooShort`, `auth.passwordTooLong` */
export function checkLength(password: string): void {
  const characters = characterCount(password.normalize('NFC'));
  if (characters < passwordLimits.min) throw apiError('auth.passwordTooShort', { min: passwordLimits.min });
  if (characters > passwordLimits.max) throw apiError('auth.passwordTooLong', { max: passwordLimits.max });
}

export function weakPassword(reason: PasswordWeakness): ApiError {
  return apiError('auth.passwordWeak', { reason });
}
