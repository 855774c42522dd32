/** Outlines of the Phosphor icons that the frame draws. Those of screens alone come with the screens. */
import arrowSquareOut from '@phosphor-icons/core/regular/arrow-square-out.svg?raw';
import caretUpDown from '@phosphor-icons/core/regular/caret-up-down.svg?raw';
import chartLine from '@phosphor-icons/core/regular/chart-line.svg?raw';
import check from '@phosphor-icons/core/regular/check.svg?raw';
import checkCircle from '@phosphor-icons/core/regular/check-circle.svg?raw';
import clock from '@phosphor-icons/core/regular/clock.svg?raw';
import code from '@phosphor-icons/core/regular/code.svg?raw';
import desktop from '@phosphor-icons/core/regular/desktop.svg?raw';
import dotsThree from '@phosphor-icons/core/regular/dots-three.svg?raw';
import downloadSimple from '@phosphor-icons/core/regular/download-simple.svg?raw';
import fileText from '@phosphor-icons/core/regular/file-text.svg?raw';
import flask from '@phosphor-icons/core/regular/flask.svg?raw';
import flowArrow from '@phosphor-icons/core/regular/flow-arrow.svg?raw';
import gauge from '@phosphor-icons/core/regular/gauge.svg?raw';
import gear from '@phosphor-icons/core/regular/gear.svg?raw';
import globeSimple from '@phosphor-icons/core/regular/globe-simple.svg?raw';
import image from '@phosphor-icons/core/regular/image.svg?raw';
import images from '@phosphor-icons/core/regular/images.svg?raw';
import info from '@phosphor-icons/core/regular/info.svg?raw';
import keyboard from '@phosphor-icons/core/regular/keyboard.svg?raw';
import linkBreak from '@phosphor-icons/core/regular/link-break.svg?raw';
import magnifyingGlass from '@phosphor-icons/core/regular/magnifying-glass.svg?raw';
import moon from '@phosphor-icons/core/regular/moon.svg?raw';
import path from '@phosphor-icons/core/regular/path.svg?raw';
import plugsConnected from '@phosphor-icons/core/regular/plugs-connected.svg?raw';
import plus from '@phosphor-icons/core/regular/plus.svg?raw';
import puzzlePiece from '@phosphor-icons/core/regular/puzzle-piece.svg?raw';
import sidebarSimple from '@phosphor-icons/core/regular/sidebar-simple.svg?raw';
import signOut from '@phosphor-icons/core/regular/sign-out.svg?raw';
import stack from '@phosphor-icons/core/regular/stack.svg?raw';
import sun from '@phosphor-icons/core/regular/sun.svg?raw';
import table from '@phosphor-icons/core/regular/table.svg?raw';
import translate from '@phosphor-icons/core/regular/translate.svg?raw';
import trash from '@phosphor-icons/core/regular/trash.svg?raw';
import treeStructure from '@phosphor-icons/core/regular/tree-structure.svg?raw';
import userCircle from '@phosphor-icons/core/regular/user-circle.svg?raw';
import warning from '@phosphor-icons/core/regular/warning.svg?raw';
import warningCircle from '@phosphor-icons/core/regular/warning-circle.svg?raw';
import webhooksLogo from '@phosphor-icons/core/regular/webhooks-logo.svg?raw';
import x from '@phosphor-icons/core/regular/x.svg?raw';
import { extractOutline } from './outline.ts';
import type { screenIcons } from './screen-icons.ts';

const frameIcons = {
  'arrow-square-out': extractOutline(arrowSquareOut),
  'caret-up-down': extractOutline(caretUpDown),
  'chart-line': extractOutline(chartLine),
  check: extractOutline(check),
  'check-circle': extractOutline(checkCircle),
  clock: extractOutline(clock),
  code: extractOutline(code),
  desktop: extractOutline(desktop),
  'dots-three': extractOutline(dotsThree),
  'download-simple': extractOutline(downloadSimple),
  'file-text': extractOutline(fileText),
  flask: extractOutline(flask),
  'flow-arrow': extractOutline(flowArrow),
  gauge: extractOutline(gauge),
  gear: extractOutline(gear),
  'globe-simple': extractOutline(globeSimple),
  image: extractOutline(image),
  images: extractOutline(images),
  info: extractOutline(info),
  keyboard: extractOutline(keyboard),
  'link-break': extractOutline(linkBreak),
  'magnifying-glass': extractOutline(magnifyingGlass),
  moon: extractOutline(moon),
  path: extractOutline(path),
  'plugs-connected': extractOutline(plugsConnected),
  plus: extractOutline(plus),
  'puzzle-piece': extractOutline(puzzlePiece),
  'sidebar-simple': extractOutline(sidebarSimple),
  'sign-out': extractOutline(signOut),
  stack: extractOutline(stack),
  sun: extractOutline(sun),
  table: extractOutline(table),
  translate: extractOutline(translate),
  trash: extractOutline(trash),
  'tree-structure': extractOutline(treeStructure),
  'user-circle': extractOutline(userCircle),
  warning: extractOutline(warning),
  'warning-circle': extractOutline(warningCircle),
  'webhooks-logo': extractOutline(webhooksLogo),
  x: extractOutline(x),
} as const;

export type IconName = keyof typeof frameIcons | keyof typeof screenIcons;

let known: Partial<Record<IconName, string>> = frameIcons;

/** Called before the first screen that draws them. */
export function addIcons(icons: typeof screenIcons): void {
  known = { ...frameIcons, ...icons };
}

/** The outline of an icon. */
export function iconOutline(name: IconName): string {
  return known[name] ?? '';
}
