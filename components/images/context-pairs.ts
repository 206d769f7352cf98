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

/** What is wrong with a row before the server sees it: it could not tell two of one key apart. */
export function faultOf({ id, key, value }: Pair, pairs: readonly Pair[]): string | null {
  const name = key.trim()
  if (!name) return value ? 'Give it a key' : null
  if (pairs.some((other) => other.id !== id && other.key.trim() === name))
    return 'This key is there twice'
  return value ? null : 'Give it a value'
}
