const DAY_SECONDS = 86_400

/**
 * Whether a time of `minutes` after midnight (UTC, in their order) has come since the last backup; all times in seconds since 1970. Without
 * any backup it is due at once.
 */
export function isDue(minutes: readonly number[], last: number | null, now: number): boolean {
  if (minutes.length === 0) return false
  if (last === null) return true
  const midnight = now - (now % DAY_SECONDS)
  const times = minutes.map((minute) => midnight + minute * 60)
  const latest = times.findLast((time) => time <= now) ?? (times.at(-1) ?? 0) - DAY_SECONDS
  return last < latest
}
