/** Language of a page when neither it nor any page above has one (Core, "Page", `effective_lang`). */
export const DEFAULT_LANG = 'de';
