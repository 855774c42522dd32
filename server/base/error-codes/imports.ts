import { type ErrorTable, quoted } from './entry.ts';

/** Refusals of endpoints, and why a job has failed. */
export const importErrors = {
  'import.notImported': { status: 409, text: () => 'this page does not come from an import' },
  'import.running': { status: 409, text: () => 'an import into this website is running already' },
  'import.tooMany': {
    status: 409,
    text: (p: { max: number }) => `${p.max} scans and imports are running already`,
  },
  'import.noneInBase': {
    status: 400,
    text: (p: { base: string }) => `none of the addresses belongs to ${quoted(p.base)}`,
  },
  'import.startFailed': {
    status: 502,
    text: (p: { url: string; reason: string }) => `${quoted(p.url)} cannot be loaded: ${p.reason}`,
  },
  'import.targetGone': { status: 404, text: () => 'the target page is gone' },
  'import.failed': { status: 500, text: () => 'the job ended with an unexpected error' },
  'import.notFinished': { status: 409, text: () => 'the job is not a finished import' },
} satisfies ErrorTable;

/** What a job is doing, and the entries of its log, with the English texts. */
export const importMessages = {
  'import.phaseStart': () => 'Load the start page',
  'import.phaseRobots': () => 'Read robots.txt and sitemaps',
  'import.phasePages': () => 'Look at pages',
  'import.phaseHosts': () => 'Look at style sheets',
  'import.phaseCheck': () => 'Check the target',
  'import.phaseLoad': () => 'Load pages',
  'import.phaseFiles': () => 'Load files',
  'import.phaseConvert': () => 'Convert pages',
  'import.phaseWrite': () => 'Write pages',
  'import.pageNotLoaded': (p: { reason: string }) => `The page cannot be loaded: ${p.reason}`,
  'import.pageNotRead': (p: { reason: string }) => `The page cannot be read: ${p.reason}`,
  'import.pageNotHtml': (p: { type: string }) => `Not an HTML page (content type ${quoted(p.type)})`,
  'import.pageElsewhere': (p: { target: string }) => `It leads to another website: ${quoted(p.target)}`,
  'import.pageRedirected': (p: { target: string }) => `It leads to another page: ${quoted(p.target)}`,
  'import.pageOutside': () => 'The address does not belong to the website',
  'import.pageModified': (p: { id: number }) => `Page ${p.id} was edited here and is kept`,
  'import.pageForeign': (p: { path: string }) => `${p.path} belongs to the import of another website`,
  'import.pageExists': (p: { path: string }) => `${p.path} exists and is not overwritten`,
  'import.pageTooLarge': () => 'The page is too large',
  'import.pageQuirks': () => 'The page relies on the rules of old browsers and may look different',
  'import.fileNotImported': (p: { reason: string }) => `The file is not taken over: ${p.reason}`,
  'import.assetKept': (p: { id: number }) =>
    `Asset ${p.id} was edited here and is kept; the original has changed`,
  'import.scriptImports': () => 'The script loads others by addresses relative to its own',
  'import.sitemapBroken': (p: { reason: string }) => `The sitemap cannot be read: ${p.reason}`,
  'import.robotsBroken': (p: { reason: string }) => `robots.txt cannot be read: ${p.reason}`,
  'import.pagesLimited': (p: { max: number }) => `There are more than ${p.max} pages`,
  'import.filesLimited': (p: { max: number }) =>
    `The pages load very many files (more than ${p.max}, or with very long addresses); the rest stays with the original`,
  'import.logLimited': (p: { max: number }) => `The log has ${p.max} entries; further ones are left out`,
};
