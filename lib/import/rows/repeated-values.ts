import { forEachInTurns } from '@/lib/async/turns'
import type { Entity } from '@/lib/definitions/definition'
import { KeysSeen } from '@/lib/rows/digest-counts'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { addFault, pointerTo, type RecordFaults } from '@/lib/rows/record-faults'
import { tupleReader } from '@/lib/rows/record-key'

/**
 * Returns a function that takes out rows which repeat a unique value of an earlier row of the file, of whichever part. Takes about
 * 60 bytes for each row and list of fields.
 */
export function repeatedFinder(
  entity: Entity,
  lists: readonly (readonly string[])[],
  faults: RecordFaults,
): (rows: PreparedRow[]) => Promise<PreparedRow[]> {
  const distinct = [...new Map(lists.map((list) => [[...list].sort().join('\0'), list])).values()]
  const settable = new Set(entity.properties.map(({ name }) => name))
  const finders = distinct
    .filter((fields) => fields.every((name) => settable.has(name)))
    .map((fields) => ({ fields, read: tupleReader(entity, fields), seen: new KeysSeen() }))
  return async (rows) => {
    const kept: PreparedRow[] = []
    await forEachInTurns(rows, (row) => {
      const repeated = finders.filter(({ read, seen }) => {
        const text = read(row.values)
        return text !== null && !seen.add(text)
      })
      const [first] = repeated
      if (first) refuse(faults, row, first.fields)
      else kept.push(row)
    })
    return kept
  }
}

function refuse(faults: RecordFaults, { index }: PreparedRow, fields: readonly string[]): void {
  const message = `repeats ${fields.map((name) => `"${name}"`).join(', ')} of an earlier row`
  const [only = ''] = fields
  const pointer = fields.length === 1 ? pointerTo(only) : ''
  const about = {
    rule: 'unique',
    field: fields.join(', '),
    index,
    message: () => REPEATED,
  } as const
  addFault(faults, about, () => ({ index, pointer, message }))
}

/** As where a stored record has the value: both are counted together. */
const REPEATED = 'must be unique'
