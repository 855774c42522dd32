/** What the admin and the preview frame say to each other, through a MessagePort. */

/** The first message of the frame to the window around it. */
export const frameReady = 'ic-frame-ready';

export interface ShowMessage {
  readonly kind: 'show';
  readonly html: string;
  /** Address of the page, which relative addresses count from. */
  readonly base: string;
}

/** Keys that are commands of the admin, pressed while the frame has the focus. */
export interface KeyMessage {
  readonly kind: 'key';
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

export type ToFrame = ShowMessage;
export type FromFrame = KeyMessage;
