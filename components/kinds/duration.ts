import type { ConsoleKind } from './console-kind'

export const duration: ConsoleKind = {
  format: (text) => inWords(text) ?? text,

  form: 'duration',
  moment: null,

  cell: 'words',
  width: 160,

  types: ['duration'],
}

/** The form in which servers return durations. The table needs no more, so it loads no more. */
const UNITS =
  /^P(?!T?$)(?:(-?\d+)Y)?(?:(-?\d+)M)?(?:(-?\d+)D)?(?:T(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?[\d.]+)S)?)?$/
const NAMES = [' year', ' month', ' day', ' h', ' min', ' s']

/** `1 day 2 h 30 min`; null for another form. */
function inWords(text: string): string | null {
  const units = UNITS.exec(text)?.slice(1)
  if (!units) return null
  const words = units.flatMap((count, at) =>
    Number(count ?? 0) === 0
      ? []
      : `${count}${NAMES[at]}${at < 3 && !/^-?1$/.test(count) ? 's' : ''}`,
  )
  return words.join(' ').replaceAll('-', '−') || '0 s'
}
