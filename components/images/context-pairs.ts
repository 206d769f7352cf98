/** A row of the editor of context; `id` keeps it apart while its key is typed. */
export type Pair = { id: string; key: string; value: string }

export const toPairs = (context: Record<string, string>): Pair[] =>
  Object.entries(context).map(([key, value]) => ({ id: crypto.randomUUID(), key, value }))

export const newPair = (): Pair => ({ id: crypto.randomUUID(), key: '', value: '' })

/** Empty rows are no context. */
export const toContext = (pairs: readonly Pair[]): Record<string, string> =>
  Object.fromEntries(
    pairs
      .filter(({ key, value }) => key.trim() || value)
      .map(({ key, value }) => [key.trim(), value]),
  )

/** What is wrong with a row; checked here because an object can't hold the same key twice. */
export function faultOf({ id, key, value }: Pair, pairs: readonly Pair[]): string | null {
  const name = key.trim()
  if (!name) return value ? 'Enter a key' : null
  if (pairs.some((other) => other.id !== id && other.key.trim() === name))
    return 'This key is used twice'
  return value ? null : 'Enter a value'
}
