const [QUOTE, APOSTROPHE, GREATER] = [0x22, 0x27, 0x3e]
/** A longer beginning of an entity is none. */
const MAX_ENTITY_CHARS = 12

/** The position of the `>` that ends a tag, outside quotes; -1 where it is not there yet. */
export function tagEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === GREATER) return at
    if (code !== QUOTE && code !== APOSTROPHE) continue
    const closing = text.indexOf(code === QUOTE ? '"' : "'", at + 1)
    if (closing < 0) return -1
    at = closing
  }
  return -1
}

/** Where the text ends that is there, before an entity of which the end is missing. */
export function wholeTextEnd(text: string, from: number): number {
  const entity = text.lastIndexOf('&')
  const isCut = entity >= from && text.length - entity < MAX_ENTITY_CHARS
  return isCut && !text.includes(';', entity) ? entity : text.length
}
