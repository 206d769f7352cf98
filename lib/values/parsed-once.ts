import { KeptByOwner } from './kept-by-owner'

type Parse<T> = (text: string) => T

/** `parse`, which depends on its text alone, once for each of the texts that were used last. What it returns must not be changed. */
export function parsedOnce<T>(parse: Parse<T>): Parse<T> {
  const kept = new KeptByOwner<Parse<T>, T>()
  return (text) => {
    const known = kept.get(parse, text)
    if (known !== undefined) return known
    const parsed = parse(text)
    kept.set(parse, text, parsed)
    return parsed
  }
}
