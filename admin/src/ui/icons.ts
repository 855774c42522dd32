/** Outlines of the Phosphor icons in use, from the SVG files of `@phosphor-icons/core`. */
import arrowDown from '@phosphor-icons/core/regular/arrow-down.svg?raw';
import arrowLeft from '@phosphor-icons/core/regular/arrow-left.svg?raw';
import arrowRight from '@phosphor-icons/core/regular/arrow-right.svg?raw';
import arrowSquareOut from '@phosphor-icons/core/regular/arrow-square-out.svg?raw';
import arrowUp from '@phosphor-icons/core/regular/arrow-up.svg?raw';
import arrowsClockwise from '@phosphor-icons/core/regular/arrows-clockwise.svg?raw';
import arrowsOutCardinal from '@phosphor-icons/core/regular/arrows-out-cardinal.svg?raw';
import broom from '@phosphor-icons/core/regular/broom.svg?raw';
import browsers from '@phosphor-icons/core/regular/browsers.svg?raw';
import caretDown from '@phosphor-icons/core/regular/caret-down.svg?raw';
import caretRight from '@phosphor-icons/core/regular/caret-right.svg?raw';
import caretUp from '@phosphor-icons/core/regular/caret-up.svg?raw';
import caretUpDown from '@phosphor-icons/core/regular/caret-up-down.svg?raw';
import check from '@phosphor-icons/core/regular/check.svg?raw';
import checkCircle from '@phosphor-icons/core/regular/check-circle.svg?raw';
import clock from '@phosphor-icons/core/regular/clock.svg?raw';
import clockCounterClockwise from '@phosphor-icons/core/regular/clock-counter-clockwise.svg?raw';
import code from '@phosphor-icons/core/regular/code.svg?raw';
import columns from '@phosphor-icons/core/regular/columns.svg?raw';
import command from '@phosphor-icons/core/regular/command.svg?raw';
import copy from '@phosphor-icons/core/regular/copy.svg?raw';
import desktop from '@phosphor-icons/core/regular/desktop.svg?raw';
import dotsThree from '@phosphor-icons/core/regular/dots-three.svg?raw';
import downloadSimple from '@phosphor-icons/core/regular/download-simple.svg?raw';
import eye from '@phosphor-icons/core/regular/eye.svg?raw';
import eyeSlash from '@phosphor-icons/core/regular/eye-slash.svg?raw';
import file from '@phosphor-icons/core/regular/file.svg?raw';
import filePlus from '@phosphor-icons/core/regular/file-plus.svg?raw';
import fileText from '@phosphor-icons/core/regular/file-text.svg?raw';
import folder from '@phosphor-icons/core/regular/folder.svg?raw';
import folderOpen from '@phosphor-icons/core/regular/folder-open.svg?raw';
import folderPlus from '@phosphor-icons/core/regular/folder-plus.svg?raw';
import funnel from '@phosphor-icons/core/regular/funnel.svg?raw';
import gauge from '@phosphor-icons/core/regular/gauge.svg?raw';
import gear from '@phosphor-icons/core/regular/gear.svg?raw';
import globeSimple from '@phosphor-icons/core/regular/globe-simple.svg?raw';
import hardDrives from '@phosphor-icons/core/regular/hard-drives.svg?raw';
import house from '@phosphor-icons/core/regular/house.svg?raw';
import image from '@phosphor-icons/core/regular/image.svg?raw';
import images from '@phosphor-icons/core/regular/images.svg?raw';
import info from '@phosphor-icons/core/regular/info.svg?raw';
import key from '@phosphor-icons/core/regular/key.svg?raw';
import keyboard from '@phosphor-icons/core/regular/keyboard.svg?raw';
import link from '@phosphor-icons/core/regular/link.svg?raw';
import linkBreak from '@phosphor-icons/core/regular/link-break.svg?raw';
import list from '@phosphor-icons/core/regular/list.svg?raw';
import magnifyingGlass from '@phosphor-icons/core/regular/magnifying-glass.svg?raw';
import moon from '@phosphor-icons/core/regular/moon.svg?raw';
import musicNotes from '@phosphor-icons/core/regular/music-notes.svg?raw';
import path from '@phosphor-icons/core/regular/path.svg?raw';
import pencilSimple from '@phosphor-icons/core/regular/pencil-simple.svg?raw';
import plugsConnected from '@phosphor-icons/core/regular/plugs-connected.svg?raw';
import plus from '@phosphor-icons/core/regular/plus.svg?raw';
import prohibit from '@phosphor-icons/core/regular/prohibit.svg?raw';
import puzzlePiece from '@phosphor-icons/core/regular/puzzle-piece.svg?raw';
import rocketLaunch from '@phosphor-icons/core/regular/rocket-launch.svg?raw';
import rows from '@phosphor-icons/core/regular/rows.svg?raw';
import shareNetwork from '@phosphor-icons/core/regular/share-network.svg?raw';
import sidebarSimple from '@phosphor-icons/core/regular/sidebar-simple.svg?raw';
import signOut from '@phosphor-icons/core/regular/sign-out.svg?raw';
import sun from '@phosphor-icons/core/regular/sun.svg?raw';
import table from '@phosphor-icons/core/regular/table.svg?raw';
import textAa from '@phosphor-icons/core/regular/text-aa.svg?raw';
import translate from '@phosphor-icons/core/regular/translate.svg?raw';
import trash from '@phosphor-icons/core/regular/trash.svg?raw';
import treeStructure from '@phosphor-icons/core/regular/tree-structure.svg?raw';
import uploadSimple from '@phosphor-icons/core/regular/upload-simple.svg?raw';
import userCircle from '@phosphor-icons/core/regular/user-circle.svg?raw';
import users from '@phosphor-icons/core/regular/users.svg?raw';
import videoCamera from '@phosphor-icons/core/regular/video-camera.svg?raw';
import warning from '@phosphor-icons/core/regular/warning.svg?raw';
import warningCircle from '@phosphor-icons/core/regular/warning-circle.svg?raw';
import x from '@phosphor-icons/core/regular/x.svg?raw';

function outlineOf(svg: string): string {
  return /<path d="([^"]+)"/.exec(svg)?.[1] ?? '';
}

export const icons = {
  'arrow-down': outlineOf(arrowDown),
  'arrow-left': outlineOf(arrowLeft),
  'arrow-right': outlineOf(arrowRight),
  'arrow-square-out': outlineOf(arrowSquareOut),
  'arrow-up': outlineOf(arrowUp),
  'arrows-clockwise': outlineOf(arrowsClockwise),
  'arrows-out-cardinal': outlineOf(arrowsOutCardinal),
  broom: outlineOf(broom),
  browsers: outlineOf(browsers),
  'caret-down': outlineOf(caretDown),
  'caret-right': outlineOf(caretRight),
  'caret-up': outlineOf(caretUp),
  'caret-up-down': outlineOf(caretUpDown),
  check: outlineOf(check),
  'check-circle': outlineOf(checkCircle),
  clock: outlineOf(clock),
  'clock-counter-clockwise': outlineOf(clockCounterClockwise),
  code: outlineOf(code),
  columns: outlineOf(columns),
  command: outlineOf(command),
  copy: outlineOf(copy),
  desktop: outlineOf(desktop),
  'dots-three': outlineOf(dotsThree),
  'download-simple': outlineOf(downloadSimple),
  eye: outlineOf(eye),
  'eye-slash': outlineOf(eyeSlash),
  file: outlineOf(file),
  'file-plus': outlineOf(filePlus),
  'file-text': outlineOf(fileText),
  folder: outlineOf(folder),
  'folder-open': outlineOf(folderOpen),
  'folder-plus': outlineOf(folderPlus),
  funnel: outlineOf(funnel),
  gauge: outlineOf(gauge),
  gear: outlineOf(gear),
  'globe-simple': outlineOf(globeSimple),
  'hard-drives': outlineOf(hardDrives),
  house: outlineOf(house),
  image: outlineOf(image),
  images: outlineOf(images),
  info: outlineOf(info),
  key: outlineOf(key),
  keyboard: outlineOf(keyboard),
  link: outlineOf(link),
  'link-break': outlineOf(linkBreak),
  list: outlineOf(list),
  'magnifying-glass': outlineOf(magnifyingGlass),
  moon: outlineOf(moon),
  'music-notes': outlineOf(musicNotes),
  path: outlineOf(path),
  'pencil-simple': outlineOf(pencilSimple),
  'plugs-connected': outlineOf(plugsConnected),
  plus: outlineOf(plus),
  prohibit: outlineOf(prohibit),
  'puzzle-piece': outlineOf(puzzlePiece),
  'rocket-launch': outlineOf(rocketLaunch),
  rows: outlineOf(rows),
  'share-network': outlineOf(shareNetwork),
  'sidebar-simple': outlineOf(sidebarSimple),
  'sign-out': outlineOf(signOut),
  sun: outlineOf(sun),
  table: outlineOf(table),
  'text-aa': outlineOf(textAa),
  translate: outlineOf(translate),
  trash: outlineOf(trash),
  'tree-structure': outlineOf(treeStructure),
  'upload-simple': outlineOf(uploadSimple),
  'user-circle': outlineOf(userCircle),
  users: outlineOf(users),
  'video-camera': outlineOf(videoCamera),
  warning: outlineOf(warning),
  'warning-circle': outlineOf(warningCircle),
  x: outlineOf(x),
} as const;
export type IconName = keyof typeof icons;
