/** Tells that a save has broken pages, and takes it back. */
import { type FailedPage, followFailedPages } from '../api/failed-pages.ts';
import { t } from '../base/i18n/index.ts';
import { paths } from '../base/router/paths.ts';
import { showToast } from '../ui/messages/toasts.ts';

export interface FinishedSave {
  /** As in the feed of changes. */
  readonly kind: string;
  readonly id: number;
  /** Puts the values before the save back. */
  undo(): Promise<void>;
}

/** How long a page that breaks is taken for the effect of a save, in milliseconds. */
const watchedMs = 30_000;
/** Pages that break within so short a time are told together, in milliseconds. */
const gatherMs = 400;

let newest: (FinishedSave & { readonly at: number }) | undefined;
let broken: FailedPage[] = [];
let isGathering = false;

followFailedPages((page) => {
  broken.push(page);
  if (!isGathering) setTimeout(tell, gatherMs);
  isGathering = true;
});

/** To be called when an object was saved: its check may find pages that fail now. */
export function noteSave(save: FinishedSave): void {
  newest = { ...save, at: Date.now() };
}

function tell(): void {
  const save = newest;
  isGathering = false;
  const pages = broken;
  broken = [];
  if (save === undefined || Date.now() - save.at > watchedMs) return;
  const own = pages.filter(({ cause }) => cause.kind === save.kind && cause.id === save.id);
  const [first] = own;
  if (first === undefined) return;
  newest = undefined;
  const { path, siteId, id } = first;
  showToast({
    tone: 'failed',
    message:
      own.length === 1
        ? t('failing.broke', { path })
        : t('failing.brokeMore', { path, count: own.length - 1 }),
    show: paths.page(siteId, id),
    undo: save.undo,
  });
}
