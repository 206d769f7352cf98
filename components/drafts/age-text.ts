const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** `5 minutes ago`, of a time in milliseconds before `now`. */
export function ageText(time: number, now: number): string {
  const seconds = Math.max(0, (now - time) / 1000)
  const found = UNITS.find(([, size]) => seconds >= size)
  if (!found) return 'a moment ago'
  const [unit, size] = found
  return new Intl.RelativeTimeFormat('en').format(-Math.floor(seconds / size), unit)
}
