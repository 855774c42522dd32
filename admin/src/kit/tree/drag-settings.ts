/** What all drags of rows have in common. */

/** A press becomes a drag after so many pixels, or on touch after so many milliseconds. */
export const activation = {
  mouse: { activationConstraint: { distance: 5 } },
  touch: { activationConstraint: { delay: 250, tolerance: 8 } },
};

/** The library's own texts are English only; ours are where the rows are. */
export const silent = {
  announcements: { onDragStart: none, onDragOver: none, onDragEnd: none, onDragCancel: none },
  screenReaderInstructions: { draggable: '' },
};

function none(): undefined {
  return undefined;
}
