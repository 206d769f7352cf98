/** Waits that end within a moment have no timers and listeners of their own. */
export const MOMENT_MS = 50

type Wait = { isLong: () => void; wasSeen: boolean }

const waits = new Set<Wait>()
let timer: NodeJS.Timeout | undefined

/** Calls `isLong` once when `end` was not called within one to two moments. */
export function beginWait(isLong: () => void): { end: () => void } {
  const wait = { isLong, wasSeen: false }
  waits.add(wait)
  timer ??= setInterval(look, MOMENT_MS).unref()
  return { end: () => void waits.delete(wait) }
}

function look(): void {
  for (const wait of waits) {
    if (wait.wasSeen) {
      waits.delete(wait)
      wait.isLong()
    } else wait.wasSeen = true
  }
  if (waits.size > 0) return
  clearInterval(timer)
  timer = undefined
}
