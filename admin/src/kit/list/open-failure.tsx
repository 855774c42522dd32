import { ApiFailure } from '../../api/failure.ts';
import { failureText } from '../../api/failure-text.ts';
import { NothingOpen, type NothingOpenProps } from './nothing-open.tsx';

export interface OpenFailureProps extends Pick<NothingOpenProps, 'list' | 'isPart'> {
  readonly error: unknown;
  /** What is said of an object that is not there. */
  readonly missing: string;
}

/** In place of an object that could not be read. */
export function OpenFailure({ error, missing, ...place }: OpenFailureProps) {
  const isMissing = error instanceof ApiFailure && error.code === 'common.notFound';
  return (
    <NothingOpen isFailed {...place}>
      {isMissing ? missing : failureText(error)}
    </NothingOpen>
  );
}
