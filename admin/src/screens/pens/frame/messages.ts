/** What the editor of a pen and the frame of its result say to each other. */

/** The first message of the frame to the window around it. */
export const penFrameReady = 'ic-pen-frame-ready';

/** The answer: the document to run. */
export interface PenDocument {
  readonly html: string;
}
