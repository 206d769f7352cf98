import { type SQL, sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/sql'
import {
  AUDIT_FIELDS,
  type Entity,
  EXTRA_COLUMN,
  type Property,
} from '@/lib/definitions/definition'
import { isJsonKind } from '@/lib/kinds/kind'
import { sqlTypeOf } from '@/lib/tables/column-spec'
import { type Json, type JsonObject, stringifyExactly } from '@/lib/values/json'
import { type Default, defaultsOf } from './compiled-entity'
import type { PreparedRow } from './prepared-row'
import { columnList } from './record-columns'
import { checkedProperties } from './record-schema'
import type { Signature } from './record-statements'

const NULL = '\\N'

export type CopyFormat = {
  /** The `copy … from stdin`. */
  statement: SQL
  /** Its columns, in the order of a line. */
  columns: { name: string; type: string }[]
  /** The beginning of a line in COPY's text format; null when a part of the key is missing. */
  keyText: (values: JsonObject) => string | null
  /** The rest of the line. */
  restText: (row: PreparedRow) => string
}

/** How COPY writes new records of an entity, with defaults and audit fields. */
export function copyFormat(entity: Entity, signature: Signature): CopyFormat {
  const defaults = defaultsOf(entity)
  const properties = checkedProperties(entity)
  const isKey = ({ name }: Property) => entity.keys.includes(name)
  const keys = properties.filter(isKey).map((property) => columnOf(property, defaults))
  const rest = properties
    .filter((property) => !isKey(property))
    .map((property) => columnOf(property, defaults))
  const audit = entity.definition.auditable ? auditValues(signature) : []
  const columns = [
    ...[...keys, ...rest].map(({ name, sqlType }) => ({ name, type: sqlType })),
    { name: EXTRA_COLUMN, type: 'jsonb' },
    ...audit.map(([name]) => ({ name, type: 'text' })),
  ]
  const names = columns.map(({ name }) => name)
  const end = `${audit.map(([, value]) => `\t${escapeText(value)}`).join('')}\n`
  return {
    statement: sql`copy ${tableSql(entity.table)} (${columnList(names)}) from stdin`,
    columns,
    keyText(values) {
      let text = ''
      for (const { read } of keys) {
        const value = read(values) ?? null
        if (value === null) return null
        text += plainValue(value)
        text += '\t'
      }
      return text
    },
    restText({ values, extra }) {
      let text = ''
      for (const { read, missing, isJson } of rest) {
        const value = read(values)
        text += value === undefined ? missing() : isJson ? jsonValue(value) : plainValue(value)
        text += '\t'
      }
      return text + (extra === null ? NULL : jsonValue(extra)) + end
    },
  }
}

function columnOf({ name, kind, type }: Property, defaults: ReadonlyMap<string, Default>) {
  const isJson = isJsonKind(kind)
  const value = defaults.get(name) ?? null
  const missing = typeof value === 'function' ? () => plainValue(value()) : constant(value, isJson)
  // A field may be called `constructor`.
  const isInherited = name in Object.prototype
  const read = (values: JsonObject): Json | undefined =>
    isInherited && !Object.hasOwn(values, name) ? undefined : values[name]
  return { name, sqlType: sqlTypeOf({ kind, type }), isJson, missing, read }
}

function constant(value: Json, isJson: boolean): () => string {
  const text = isJson ? jsonValue(value) : plainValue(value)
  return () => text
}

function auditValues({ actorName, now }: Signature): [string, string][] {
  const at = now.toISOString()
  const values = [at, actorName, at, actorName]
  return AUDIT_FIELDS.map((name, index) => [name, values[index] ?? ''])
}

const jsonValue = (value: Json): string =>
  value === null ? NULL : escapeText(stringifyExactly(value))

function plainValue(value: Json): string {
  if (typeof value === 'string') return escapeText(value)
  return value === null ? NULL : String(value)
}

const SPECIAL = /[\\\t\n\r]/
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** A text as COPY has it in a line. */
export const escapeText = (text: string): string =>
  SPECIAL.test(text) ? text.replace(/[\\\t\n\r]/g, (char) => ESCAPES[char] ?? char) : text

/**
 * Returns a function that returns the next line, without its end, as a text whose characters are its bytes: it need not be
 * decoded, and a part of a text takes no copy.
 */
export function linesOf(lines: Buffer): () => string {
  const text = lines.toString('latin1')
  let from = 0
  return () => {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end)
    from = end + 1
    return line
  }
}

const BEYOND_ASCII = /[^\0-\x7f]/

/** A text as one whose characters are its bytes in UTF-8. */
export const bytesText = (text: string): string =>
  BEYOND_ASCII.test(text) ? Buffer.from(text).toString('latin1') : text

const FIRST_BYTES = 64 * 1024
/** In UTF-8, of a UTF-16 code unit. */
const MAX_BYTES_A_CHAR = 3
/** Written to the buffer at once: each time takes as long as to copy several lines. */
const PIECE_CHARS = 8 * 1024

const NONE = Buffer.alloc(0)

/**
 * Lines as UTF-8: as one string, the pieces they are made of would stay in memory. Each time expects as much as was taken
 * the time before: bytes that are reserved for nothing have V8 collect garbage the sooner.
 */
export class LineBuffer {
  private bytes = NONE
  private used = 0
  private text = ''

  /** `latin1`: for texts whose characters are bytes. `expected`: how many bytes are likely. */
  constructor(
    private readonly encoding: 'utf8' | 'latin1' = 'utf8',
    private expected = FIRST_BYTES,
  ) {}

  add(text: string): void {
    this.text += text
    if (this.text.length >= PIECE_CHARS) this.write()
  }

  /** The bytes added since it was called last. */
  take(): Buffer {
    this.write()
    const taken = this.bytes.subarray(0, this.used)
    this.expected = Math.max(FIRST_BYTES, this.used)
    this.bytes = NONE
    this.used = 0
    return taken
  }

  private write(): void {
    if (this.text === '') return
    const most = this.used + this.text.length * MAX_BYTES_A_CHAR
    if (most > this.bytes.length) this.grow(most)
    this.used += this.bytes.write(this.text, this.used, this.encoding)
    this.text = ''
  }

  private grow(least: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(least, this.expected, this.bytes.length * 2))
    this.bytes.copy(larger, 0, 0, this.used)
    this.bytes = larger
  }
}
