/** The entries of the trash, for features. */
export {
  countParts,
  findEntry,
  findEntryWithPage,
  findNewestEntry,
  findNewestId,
  findSteps,
  isContentKept,
  listEntries,
  listExpired,
  listOldest,
  removeEntry,
  sumBytes,
  type TrashRow,
  type TrashSummary,
} from './store.ts';
