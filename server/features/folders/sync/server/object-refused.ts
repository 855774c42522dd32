import type { Uid } from '../objects/identity.ts';

/** The server does not take an object of the folder. */
export class ObjectRefused extends Error {
  readonly uid: Uid;
  readonly code: string;

  constructor(uid: Uid, code: string, message: string) {
    super(message);
    this.uid = uid;
    this.code = code;
  }
}
