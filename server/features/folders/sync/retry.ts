/** Work that begins again when the content of a server has changed meanwhile. */
import { CommandEnd } from './command-end.ts';
import { LiveChanged } from './live-changed.ts';

const maxTries = 4;

/** @throws CommandEnd if it changes all the time */
export async function retryWhenChanged<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LiveChanged)) throw error;
      if (attempt === maxTries)
        throw new CommandEnd(4, 'The content of the server changes all the time. Try again later.');
    }
  }
}
