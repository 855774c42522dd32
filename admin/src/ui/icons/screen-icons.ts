/** Outlines of the Phosphor icons that only screens and dialogs draw. */

import arrowClockwise from '@phosphor-icons/core/regular/arrow-clockwise.svg?raw';
import arrowCounterClockwise from '@phosphor-icons/core/regular/arrow-counter-clockwise.svg?raw';
import arrowDown from '@phosphor-icons/core/regular/arrow-down.svg?raw';
import arrowLeft from '@phosphor-icons/core/regular/arrow-left.svg?raw';
import arrowRight from '@phosphor-icons/core/regular/arrow-right.svg?raw';
import arrowUUpLeft from '@phosphor-icons/core/regular/arrow-u-up-left.svg?raw';
import arrowUp from '@phosphor-icons/core/regular/arrow-up.svg?raw';
import arrowsClockwise from '@phosphor-icons/core/regular/arrows-clockwise.svg?raw';
import arrowsMerge from '@phosphor-icons/core/regular/arrows-merge.svg?raw';
import arrowsOut from '@phosphor-icons/core/regular/arrows-out.svg?raw';
import arrowsOutCardinal from '@phosphor-icons/core/regular/arrows-out-cardinal.svg?raw';
import bracketsAngle from '@phosphor-icons/core/regular/brackets-angle.svg?raw';
import broom from '@phosphor-icons/core/regular/broom.svg?raw';
import browsers from '@phosphor-icons/core/regular/browsers.svg?raw';
import bug from '@phosphor-icons/core/regular/bug.svg?raw';
import caretDown from '@phosphor-icons/core/regular/caret-down.svg?raw';
import caretRight from '@phosphor-icons/core/regular/caret-right.svg?raw';
import caretUp from '@phosphor-icons/core/regular/caret-up.svg?raw';
import clipboardText from '@phosphor-icons/core/regular/clipboard-text.svg?raw';
import clockCounterClockwise from '@phosphor-icons/core/regular/clock-counter-clockwise.svg?raw';
import code from '@phosphor-icons/core/regular/code.svg?raw';
import codeBlock from '@phosphor-icons/core/regular/code-block.svg?raw';
import columns from '@phosphor-icons/core/regular/columns.svg?raw';
import command from '@phosphor-icons/core/regular/command.svg?raw';
import copy from '@phosphor-icons/core/regular/copy.svg?raw';
import copySimple from '@phosphor-icons/core/regular/copy-simple.svg?raw';
import database from '@phosphor-icons/core/regular/database.svg?raw';
import dotsSixVertical from '@phosphor-icons/core/regular/dots-six-vertical.svg?raw';
import envelopeSimple from '@phosphor-icons/core/regular/envelope-simple.svg?raw';
import eye from '@phosphor-icons/core/regular/eye.svg?raw';
import eyeSlash from '@phosphor-icons/core/regular/eye-slash.svg?raw';
import file from '@phosphor-icons/core/regular/file.svg?raw';
import filePlus from '@phosphor-icons/core/regular/file-plus.svg?raw';
import folder from '@phosphor-icons/core/regular/folder.svg?raw';
import folderOpen from '@phosphor-icons/core/regular/folder-open.svg?raw';
import folderPlus from '@phosphor-icons/core/regular/folder-plus.svg?raw';
import funnel from '@phosphor-icons/core/regular/funnel.svg?raw';
import gitBranch from '@phosphor-icons/core/regular/git-branch.svg?raw';
import hardDrives from '@phosphor-icons/core/regular/hard-drives.svg?raw';
import house from '@phosphor-icons/core/regular/house.svg?raw';
import key from '@phosphor-icons/core/regular/key.svg?raw';
import lightning from '@phosphor-icons/core/regular/lightning.svg?raw';
import link from '@phosphor-icons/core/regular/link.svg?raw';
import linkBreak from '@phosphor-icons/core/regular/link-break.svg?raw';
import list from '@phosphor-icons/core/regular/list.svg?raw';
import listBullets from '@phosphor-icons/core/regular/list-bullets.svg?raw';
import listNumbers from '@phosphor-icons/core/regular/list-numbers.svg?raw';
import minusCircle from '@phosphor-icons/core/regular/minus-circle.svg?raw';
import musicNotes from '@phosphor-icons/core/regular/music-notes.svg?raw';
import pencilSimple from '@phosphor-icons/core/regular/pencil-simple.svg?raw';
import play from '@phosphor-icons/core/regular/play.svg?raw';
import plusCircle from '@phosphor-icons/core/regular/plus-circle.svg?raw';
import prohibit from '@phosphor-icons/core/regular/prohibit.svg?raw';
import quotes from '@phosphor-icons/core/regular/quotes.svg?raw';
import rocketLaunch from '@phosphor-icons/core/regular/rocket-launch.svg?raw';
import rows from '@phosphor-icons/core/regular/rows.svg?raw';
import scissors from '@phosphor-icons/core/regular/scissors.svg?raw';
import shareNetwork from '@phosphor-icons/core/regular/share-network.svg?raw';
import textAa from '@phosphor-icons/core/regular/text-aa.svg?raw';
import textB from '@phosphor-icons/core/regular/text-b.svg?raw';
import textItalic from '@phosphor-icons/core/regular/text-italic.svg?raw';
import timer from '@phosphor-icons/core/regular/timer.svg?raw';
import uploadSimple from '@phosphor-icons/core/regular/upload-simple.svg?raw';
import users from '@phosphor-icons/core/regular/users.svg?raw';
import videoCamera from '@phosphor-icons/core/regular/video-camera.svg?raw';
import { extractOutline } from './outline.ts';

export const screenIcons = {
  list: extractOutline(list),
  columns: extractOutline(columns),
  'arrow-down': extractOutline(arrowDown),
  'arrow-left': extractOutline(arrowLeft),
  'arrow-right': extractOutline(arrowRight),
  'arrow-up': extractOutline(arrowUp),
  'arrows-clockwise': extractOutline(arrowsClockwise),
  'arrows-out-cardinal': extractOutline(arrowsOutCardinal),
  broom: extractOutline(broom),
  browsers: extractOutline(browsers),
  'caret-down': extractOutline(caretDown),
  'caret-right': extractOutline(caretRight),
  'caret-up': extractOutline(caretUp),
  'clock-counter-clockwise': extractOutline(clockCounterClockwise),
  command: extractOutline(command),
  copy: extractOutline(copy),
  'dots-six-vertical': extractOutline(dotsSixVertical),
  eye: extractOutline(eye),
  'eye-slash': extractOutline(eyeSlash),
  file: extractOutline(file),
  'file-plus': extractOutline(filePlus),
  folder: extractOutline(folder),
  'folder-open': extractOutline(folderOpen),
  'folder-plus': extractOutline(folderPlus),
  funnel: extractOutline(funnel),
  'hard-drives': extractOutline(hardDrives),
  house: extractOutline(house),
  key: extractOutline(key),
  link: extractOutline(link),
  'music-notes': extractOutline(musicNotes),
  'pencil-simple': extractOutline(pencilSimple),
  prohibit: extractOutline(prohibit),
  'rocket-launch': extractOutline(rocketLaunch),
  rows: extractOutline(rows),
  'share-network': extractOutline(shareNetwork),
  'text-aa': extractOutline(textAa),
  'upload-simple': extractOutline(uploadSimple),
  users: extractOutline(users),
  'video-camera': extractOutline(videoCamera),
  'arrow-clockwise': extractOutline(arrowClockwise),
  'arrow-counter-clockwise': extractOutline(arrowCounterClockwise),
  'copy-simple': extractOutline(copySimple),
  scissors: extractOutline(scissors),
  'clipboard-text': extractOutline(clipboardText),
  play: extractOutline(play),
  lightning: extractOutline(lightning),
  'git-branch': extractOutline(gitBranch),
  database: extractOutline(database),
  timer: extractOutline(timer),
  'arrows-merge': extractOutline(arrowsMerge),
  'envelope-simple': extractOutline(envelopeSimple),
  'arrow-u-up-left': extractOutline(arrowUUpLeft),
  bug: extractOutline(bug),
  'arrows-out': extractOutline(arrowsOut),
  'plus-circle': extractOutline(plusCircle),
  'minus-circle': extractOutline(minusCircle),
  'text-b': extractOutline(textB),
  'text-italic': extractOutline(textItalic),
  'list-bullets': extractOutline(listBullets),
  'list-numbers': extractOutline(listNumbers),
  quotes: extractOutline(quotes),
  'code-block': extractOutline(codeBlock),
  'brackets-angle': extractOutline(bracketsAngle),
  code: extractOutline(code),
  'link-break': extractOutline(linkBreak),
} as const;
