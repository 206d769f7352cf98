import { LOCALE } from './locale'

const integers = new Intl.NumberFormat(LOCALE)

/** `1,234,567` */
export const formatCount = (value: number): string => integers.format(value)

/** `3 files`, `1 file` */
export const countOf = (value: number, one: string, many = `${one}s`): string =>
  `${formatCount(value)} ${value === 1 ? one : many}`

/** `120 ms`, `3.4 s`, `2 min 5 s` */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}
