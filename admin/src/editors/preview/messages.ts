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

/** A block on the way from its tree to an element, outermost first. */
export interface PickedBlock {
  /** Where its tree comes from, as in the markers: `page.blocks`, `global:3`, `item:news:4:body`. */
  readonly origin: string;
  readonly id: string;
}

/** A list of blocks: that of a tree, or a slot of a block. */
export interface FrameList {
  readonly parent: string | null;
  readonly slot: string;
}

/** A place in a list, named by the block after it, because the page may be older than the tree. */
export interface FramePlace extends FrameList {
  readonly before: string | null;
}

/** A value of a block that can be typed where it stands. */
export interface TypedField {
  /** The block, as in {@link PickMessage}. */
  readonly blocks: readonly PickedBlock[];
  readonly field: string;
}

/** Turns editing of blocks and words on, with what the frame has to say. */
export interface EditMessage {
  readonly kind: 'edit';
  /** Origin of the tree that is edited; empty if only words are. */
  readonly origin: string;
  /** Labels of regions by their names. */
  readonly regions: Readonly<Record<string, string>>;
  /** Names of block types and, as `global:<id>`, of global blocks. */
  readonly names: Readonly<Record<string, string>>;
  /** Names of slots by type and slot: `columns/left`. */
  readonly slots: Readonly<Record<string, string>>;
  readonly texts: {
    /** With `{{name}}` for the name of a list. */
    readonly add: string;
    readonly addFirst: string;
    readonly page: string;
    readonly move: string;
    readonly more: string;
  };
}

/** The chosen blocks, to be outlined. */
export interface SelectMessage {
  readonly kind: 'select';
  readonly ids: readonly string[];
  /** Block inside of the global block that the last ID stands for. */
  readonly inner: string | undefined;
  readonly field: string | undefined;
  /** Whether to bring them into view. */
  readonly isShown: boolean;
}

/** Lets a value be typed where it stands, at the place of the last click. */
export interface TypeMessage {
  readonly kind: 'type';
  readonly field: TypedField;
  readonly value: string;
  readonly isLong: boolean;
}

/** Changes the text that is being typed, after undo. */
export interface RetypeMessage {
  readonly kind: 'retype';
  readonly value: string | undefined;
}

/** Answers {@link DragMessage}: where the dragged blocks may go. */
export interface AllowMessage {
  readonly kind: 'allow';
  readonly lists: readonly FrameList[];
}

/** Blocks from outside of the page are dragged over it. */
export interface CarryMessage {
  readonly kind: 'carry';
  /** In pixels of the frame; undefined while they are not over the page. */
  readonly at: { readonly x: number; readonly y: number } | undefined;
}

/** Ends what {@link CarryMessage} began. */
export interface CarryEndMessage {
  readonly kind: 'carry-end';
  /** Asks for {@link DropMessage}, if there is a place for them. */
  readonly isDropped: boolean;
}

/** Where something stands, in pixels of the frame. */
export interface FrameBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A click on the page. */
export interface PickMessage {
  readonly kind: 'pick';
  readonly blocks: readonly PickedBlock[];
  /** Parameter whose value was clicked. */
  readonly field: string | undefined;
  /** Where that value stands, or the block if it is none. */
  readonly box: FrameBox | undefined;
  /** Region whose words were clicked, where there is no block. */
  readonly region: string | undefined;
  /** With Shift or Ctrl: one more block. */
  readonly isMore: boolean;
}

export interface TypedMessage {
  readonly kind: 'typed';
  readonly field: TypedField;
  readonly value: string;
}

/** Typing has ended. */
export interface TypingEndMessage {
  readonly kind: 'typing-end';
  /** By Escape: the focus goes back to the outline. */
  readonly isEscape: boolean;
}

export interface InsertMessage {
  readonly kind: 'insert';
  readonly place: FramePlace;
}

/** A drag of the chosen blocks begins. */
export interface DragMessage {
  readonly kind: 'drag';
  readonly id: string;
}

export interface DropMessage {
  readonly kind: 'drop';
  readonly place: FramePlace;
}

/** Asks for the menu of the chosen block. */
export interface MenuMessage {
  readonly kind: 'menu';
  /** In pixels of the frame. */
  readonly x: number;
  readonly y: number;
}

export type ToFrame =
  | ShowMessage
  | EditMessage
  | SelectMessage
  | TypeMessage
  | RetypeMessage
  | AllowMessage
  | CarryMessage
  | CarryEndMessage;
export type FromFrame =
  | KeyMessage
  | PickMessage
  | TypedMessage
  | TypingEndMessage
  | InsertMessage
  | DragMessage
  | DropMessage
  | MenuMessage;
