/**
 * Checks on text beyond its type, by `rules.format`, in linear time. An empty text of a field that is
 * not required means "no value", so it is not checked.
 */
const FORMATS: Record<string, (text: string) => boolean> = {
  email: (text) => text.length <= 254 && EMAIL.test(text),
  url: isUrl,
  uuid: (text) => UUID.test(text),
  phone: (text) => text.length <= 40 && PHONE.test(text),
}

export const matchesFormat = (text: string, format: string): boolean =>
  FORMATS[format]?.(text) ?? true

/** The expected value, by format: `must be …`. */
export const FORMAT_NAMES: Record<string, string> = {
  email: 'an email address',
  url: 'an absolute URL',
  uuid: 'a UUID',
  phone: 'a phone number',
}

const EMAIL = /^[^\s@<>()[\],;:\\"]+@[^\s@.<>()[\],;:\\"]+(\.[^\s@.<>()[\],;:\\"]+)+$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const PHONE = /^\+?[0-9(][0-9 ().\-/]{1,28}[0-9](;? ?(x|ext\.?) ?\d{1,8})?$/i
// Pages show URLs as links, and a browser would run these as code.
const SCRIPT = /^(javascript|vbscript|data):/i

/** Absolute, by the WHATWG parser, with any scheme except those that browsers run. */
function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\S+$/i.test(text) && !SCRIPT.test(text) && URL.canParse(text)
}
