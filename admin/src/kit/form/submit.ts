import { type FormEvent, useState } from 'react';
import { failureText, fieldFaults } from '../../api/failure-text.ts';

/** The state of a form that is sent to the server. */
export interface Sending {
  readonly isSending: boolean;
  /** What the server has refused, for what depends on the code. */
  readonly error: unknown;
  /** Faults by the name of the field. */
  readonly faults: Readonly<Record<string, string>>;
  /** What is wrong with the form as a whole; undefined if a field says it. */
  readonly message: string | undefined;
  /** Sends the form: as the handler of `submit`, or from a button. */
  send(event?: FormEvent): Promise<void>;
}

/**
 * Sends a form and keeps what went wrong. The input stays as it is.
 *
 * @param work sends the request; when it resolves, the form is done
 */
export function useSubmit(work: () => Promise<unknown>): Sending {
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const faults = fieldFaults(error);
  const isAtField = Object.keys(faults).length > 0;
  const send = async (event?: FormEvent) => {
    event?.preventDefault();
    setSending(true);
    setError(undefined);
    try {
      await work();
    } catch (failure) {
      setError(failure);
    } finally {
      setSending(false);
    }
  };
  const message = error === undefined || isAtField ? undefined : failureText(error);
  return { isSending, error, faults, message, send };
}
