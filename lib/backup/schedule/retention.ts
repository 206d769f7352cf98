import type { BackupKeep } from '@/lib/env/backups'
import { momentOf } from './file-names'

const DAY_MS = 86_400_000

/**
 * Which of the files `names` are no longer kept: all but those of the last 24 hours before the newest, and the last one of each of the last
 * days, weeks (from Monday) and months that have one. Days without a backup do not count, so that old backups stay when no new ones are made.
 */
export function outdated(names: readonly string[], keep: BackupKeep): string[] {
  const files = names
    .flatMap((name) => {
      const at = momentOf(name)
      return at ? [{ name, at }] : []
    })
    .sort((a, b) => b.at.getTime() - a.at.getTime())
  const kept = new Set<string>()
  const newest = files[0]?.at.getTime() ?? 0
  for (const { name, at } of files) if (newest - at.getTime() < DAY_MS) kept.add(name)
  const lastOfEach = (count: number, periodOf: (at: Date) => string | number) => {
    const seen = new Set<string | number>()
    for (const { name, at } of files) {
      const period = periodOf(at)
      if (seen.has(period)) continue
      if (seen.size === count) return
      seen.add(period)
      kept.add(name)
    }
  }
  lastOfEach(keep.days, dayOf)
  // The first of January 1970 was a Thursday.
  lastOfEach(keep.weeks, (at) => Math.floor((dayOf(at) + 3) / 7))
  lastOfEach(keep.months, (at) => at.toISOString().slice(0, 7))
  return files.flatMap(({ name }) => (kept.has(name) ? [] : [name]))
}

const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS)
