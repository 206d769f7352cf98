import type { Files } from './take-snapshot'

/** `added`: lines that the server alone has. */
export type Difference = { path: string; added: number; removed: number }

/** The files in which a server differs from a snapshot, by their paths, and in how many lines. */
export function differences(snapshot: Files, server: Files): Difference[] {
  const paths = [...new Set([...snapshot.keys(), ...server.keys()])].sort()
  return paths.flatMap((path) => {
    const [before, after] = [linesOf(snapshot.get(path)), linesOf(server.get(path))]
    const difference = { path, added: missing(before, after), removed: missing(after, before) }
    return difference.added + difference.removed > 0 ? difference : []
  })
}

/** A comma at the end says that another line follows, nothing of the line itself. */
const linesOf = (bytes: Uint8Array | undefined): string[] =>
  bytes ? Buffer.from(bytes).toString().replace(/,$/gm, '').split('\n') : []

/** How many lines of `other` are not among `lines`. */
function missing(lines: readonly string[], other: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  let count = 0
  for (const line of other) {
    const left = counts.get(line) ?? 0
    if (left === 0) count++
    else counts.set(line, left - 1)
  }
  return count
}
