import { apiError } from '../../base/errors.ts';
import type { Kind } from './kind.ts';
import type { KindsByName } from './usage.ts';

/** All kinds, which may refer to each other, for those that serve every one of them. */
export class KindRegistry {
  #byName: KindsByName | undefined;

  /** @throws Error when features have contributed their kinds already, or two kinds have one name */
  fill(kinds: readonly Kind[]): void {
    if (this.#byName !== undefined) throw new Error('the kinds are collected once');
    const byName = new Map(kinds.map((kind) => [kind.name, kind]));
    if (byName.size < kinds.length) throw new Error('two kinds have one name');
    this.#byName = byName;
  }

  /** In the order of a bundle. @throws Error before all features have contributed theirs */
  get byName(): KindsByName {
    if (this.#byName === undefined) throw new Error('the kinds are not collected yet');
    return this.#byName;
  }
}

/** A kind whose objects batches and change sets take. @throws ApiError 400 `batch.kindUnknown` */
export function requireChangeableKind(kinds: KindsByName, name: string): Kind {
  const kind = kinds.get(name);
  if (kind?.batch === undefined) throw apiError('batch.kindUnknown', { kind: name });
  return kind;
}
