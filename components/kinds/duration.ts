import { type ConsoleKind, textOf } from './console-kind'

const EXAMPLE = 'P1DT2H30M'

export const duration: ConsoleKind = {
  format: (text) => inWords(text) ?? text,
  example: EXAMPLE,

  form: 'duration',
  moment: null,
  operators: { first: [], others: true },
  labels: {
    gt: 'is longer than',
    gte: 'is at least',
    lt: 'is shorter than',
    lte: 'is at most',
  },
  filterInput: 'text',
  firstValue: '',

  cell: 'words',
  width: 160,

  types: ['duration'],
  input: { placeholder: EXAMPLE },
  choices: null,
  toText: textOf,
  parse: (text) =>
    LIKE_ONE.test(text.trim())
      ? { value: text.trim() }
      : { error: `Enter a duration, such as ${EXAMPLE}` },
}

/** The server has the last word. */
const LIKE_ONE = /^[+-]?P[\d.+-]+[YMWDTHS][\d.+YMWDTHS-]*$|^[+-]?PT[\d.+-]+[HMS][\d.+HMS-]*$/

/** The form in which servers return durations. The table needs no more, so it loads no more. */
const UNITS =
  /^P(?:(-?\d+)Y)?(?:(-?\d+)M)?(?:(-?\d+)D)?(?:T(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?[\d.]+)S)?)?$/
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
