import { useEffect, useRef } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { FocusesText } from '../../fields/rich-text-input.tsx';
import { ParamField } from '../panel/param-fields.tsx';
import { type BlockEditing, useEditing } from '../state/editing.ts';
import classes from './block-canvas.module.css';
import type { CanvasParts, TextInPage } from './canvas-link.ts';

export interface CanvasTextProps extends Pick<CanvasParts, 'toScreen'> {
  readonly editing: BlockEditing;
  readonly text: TextInPage;
  /** @param isDone by Escape: the focus goes back to the block */
  onClose(isDone: boolean): void;
}

/** In pixels: a toolbar needs so much, whatever the width of the text in the page. */
const [minWidth, maxWidth, minHeight, margin] = [420, 720, 280, 8];

/** A rich text with its tools, over the place where it stands in the page. */
export function CanvasText({ editing, text, toScreen, onClose }: CanvasTextProps) {
  const { shown, field } = text;
  const isChosen = useEditing(editing, () => {
    const { ids, inner, field: chosen } = editing.selection;
    return ids.length === 1 && ids[0] === shown.id && inner === shown.inner && chosen === field;
  });
  const type = useEditing(editing, () => {
    const block = editing.find(shown);
    return block !== undefined && 'type' in block ? block.type : '';
  });
  const param = editing.facts.types.get(type)?.params.find(({ name }) => name === field);
  const isOver = !isChosen || param === undefined;
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    if (isOver) close.current(false);
  }, [isOver]);
  const inside = useRef(false);
  useEffect(() => {
    // What a dialog of the text is pressed on is inside, too: React tells of it.
    const press = () => {
      if (!inside.current) close.current(false);
      inside.current = false;
    };
    document.addEventListener('pointerdown', press);
    return () => document.removeEventListener('pointerdown', press);
  }, []);
  if (isOver) return null;
  return (
    <section
      className={classes['text']}
      style={placeOver(text.box, toScreen)}
      aria-label={t('blocks.textInPage')}
      onPointerDownCapture={() => {
        inside.current = true;
      }}
      onKeyDown={(event) => {
        // A dialog of the text has an Escape of its own.
        const isInside = event.target instanceof Node && event.currentTarget.contains(event.target);
        if (event.key === 'Escape' && isInside) onClose(true);
      }}
    >
      <FocusesText value={true}>
        <ParamField editing={editing} shown={shown} param={param} fault={undefined} />
      </FocusesText>
    </section>
  );
}

/** Over the text, as far as the window has room. */
function placeOver({ x, y, width }: TextInPage['box'], toScreen: CanvasParts['toScreen']) {
  const start = toScreen({ x, y });
  const end = toScreen({ x: x + width, y });
  const room = innerWidth - 2 * margin;
  const own = Math.min(room, maxWidth, Math.max(minWidth, end.x - start.x));
  return {
    left: Math.max(margin, Math.min(start.x, innerWidth - own - margin)),
    top: Math.max(margin, Math.min(start.y, innerHeight - minHeight - margin)),
    width: own,
  };
}
