import type { ImportColumn } from '@/lib/db/schema'
import type { SourceRow } from '../file/source'
import { textsOf } from './record-maker'

const MAX_SAMPLES = 3
const MAX_CHARS = 80

/** The first different values of each column, as they are in the file but for their length. */
export function samplesOf(
  rows: readonly SourceRow[],
  columns: readonly ImportColumn[],
): string[][] {
  const samples = columns.map(() => new Set<string>())
  for (const row of rows)
    for (const [at, text] of textsOf(row, columns).entries()) {
      const found = samples[at]
      if (found && text && found.size < MAX_SAMPLES) found.add(shortened(text))
    }
  return samples.map((found) => [...found])
}

const shortened = (text: string) =>
  text.length > MAX_CHARS ? `${[...text.slice(0, MAX_CHARS)].slice(0, -1).join('')}…` : text
