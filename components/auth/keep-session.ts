import { readPrivate, writePrivate } from '@/components/ui/private-storage'

const RENEWED = 'session-renewed'
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * The cookie of a session ends 7 days after it was made, whatever is done meanwhile, unless it is renewed: that happens once a day,
 * when the console is opened or shown again. Returns how to end it.
 */
export function keepSession(): () => void {
  const renewOnceADay = () => {
    if (document.visibilityState === 'hidden') return
    const renewedAt = Number(readPrivate(RENEWED) ?? Number.NaN)
    if (Date.now() - renewedAt < DAY_MS) return
    writePrivate(RENEWED, String(Date.now()))
    // Of a sign-in that is not a day old.
    if (Number.isNaN(renewedAt)) return
    fetch('/api/auth/session').catch(() => writePrivate(RENEWED, String(renewedAt)))
  }
  renewOnceADay()
  document.addEventListener('visibilitychange', renewOnceADay)
  return () => document.removeEventListener('visibilitychange', renewOnceADay)
}
