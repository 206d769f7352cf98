import type { RecordsOf } from './install'
import type { Colors } from './io'
import { asJson, toned } from './report'

/** What is shown of one file; the rest is counted. */
const MOST_SHOWN = 20

/** The records that a file would change, field by field. */
export function recordLines({ path, records, total }: RecordsOf, colors: Colors): string[] {
  const changing = records.filter(({ verdict }) => verdict !== 'unchanged')
  const shown = changing.slice(0, MOST_SHOWN)
  const left = changing.length - shown.length
  return [
    colors.bold(path),
    ...shown.flatMap(({ key, verdict, before, after }) => [
      `  ${toned(colors, verdict)}  ${key === null ? 'a new record' : asJson(key)}`,
      ...[...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].map(
        (field) => `      ${field}: ${change(before?.[field], after?.[field], colors)}`,
      ),
    ]),
    ...(left > 0 ? [`  and ${left} more`] : []),
    ...(total > records.length ? [`  of the first ${records.length} of ${total} records`] : []),
  ]
}

function change(before: unknown, after: unknown, colors: Colors): string {
  if (before === undefined) return colors.green(asJson(after))
  if (after === undefined) return colors.red(asJson(before))
  return `${colors.red(asJson(before))} → ${colors.green(asJson(after))}`
}
