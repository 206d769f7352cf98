import { forEachInTurns } from '@/lib/async/turns'
import type { Entity } from '@/lib/definitions/definition'
import { isTextKind, isWholeKind } from '@/lib/kinds/kind'
import { LineBuffer } from '@/lib/rows/copy-rows'
import { PackedRow, type PreparedRow } from '@/lib/rows/prepared-row'
import { stringifyExactly } from '@/lib/values/json'

/** The keys of all records of a file, as text. */
export class FileKeys {
  private readonly lines = new LineBuffer()
  private count = 0
  private readonly textOf: (row: PreparedRow) => string

  constructor(entity: Entity) {
    this.textOf = encoderOf(entity)
  }

  get size(): number {
    return this.count
  }

  /** Rows have complete keys. */
  async add(rows: readonly PreparedRow[]): Promise<void> {
    await forEachInTurns(rows, (row) => {
      this.lines.add(`${this.count++ === 0 ? '' : ','}${this.textOf(row)}`)
    })
  }

  /** As the JSON text of a list of objects. Ends the collection. */
  takeJson(): string {
    return `[${this.lines.take().toString()}]`
  }
}

function encoderOf({ keys, properties }: Entity): (row: PreparedRow) => string {
  const whole = ({ values }: PreparedRow) =>
    stringifyExactly(Object.fromEntries(keys.map((key) => [key, values[key] ?? null])))
  const [only = ''] = keys
  const isPlain = properties.some(
    ({ name, kind }) => name === only && (isWholeKind(kind) || isTextKind(kind)),
  )
  if (keys.length > 1 || !isPlain) return whole
  const name = JSON.stringify(only)
  // The key of a packed row is known without parsing it; a column of numbers takes it as text too.
  return (row) =>
    row instanceof PackedRow && row.key !== null
      ? `{${name}:${JSON.stringify(row.key)}}`
      : whole(row)
}
