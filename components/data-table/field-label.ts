/** Written in capitals wherever they stand in a name. */
const ABBREVIATIONS = new Set(
  'api css csv gps html http https iban id ip iso json pdf sku sql uri url utc uuid vat xml'.split(
    ' ',
  ),
)

// At underscores, hyphens and blanks; before a capital after a small letter; between `HTTP` and `Status`.
const BETWEEN_WORDS = /[\s_-]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

/** A technical name as people would write it: `createdAt` → `Created at`, `unit_url` → `Unit URL`. */
export function humanised(name: string): string {
  const words = name.split(BETWEEN_WORDS).filter(Boolean).map(toWord)
  const text = words.join(' ')
  return text === '' ? name : text.charAt(0).toUpperCase() + text.slice(1)
}

function toWord(part: string): string {
  const small = part.toLowerCase()
  if (ABBREVIATIONS.has(small)) return small.toUpperCase()
  // `IATA` was written in capitals on purpose.
  return /^\p{Lu}{2,}\p{N}*$/u.test(part) ? part : small
}

type Named = { name: string; label?: string | null }

/** What a field is called wherever people meet it: its definition's label, else its name in words. */
export const fieldLabel = ({ name, label }: Named): string => label || humanised(name)
