/** Clients repeat few texts; longer ones mostly hold values of one request. */
const MAX_TEXTS = 200
const MAX_CHARS = 500

/** `parse`, which depends on its text alone, once for each of the texts that were used last. What it returns must not be changed. */
export function parsedOnce<T>(parse: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const parsed = parse(text)
    if (text.length > MAX_CHARS) return parsed
    known.set(text, parsed)
    if (known.size > MAX_TEXTS) known.delete(known.keys().next().value ?? '')
    return parsed
  }
}
