/** The language of the console, whose numbers and words of time it writes. */
export const LOCALE = 'en'
