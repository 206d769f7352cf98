import { createHash } from 'node:crypto'
import type { TableName } from '@/lib/definitions/definition'
import { originalSchema } from '@/lib/definitions/names'

const MAX_BYTES = 63
const HASH_LENGTH = 10

/**
 * Name of an index or constraint: readable parts cut to PostgreSQL's 63 bytes, and a hash of
 * everything that identifies it, so that equal objects have equal names in every database, and those of a copy the names of the original's.
 */
export function objectName(prefix: string, table: TableName, parts: readonly string[]): string {
  const identity = JSON.stringify([prefix, originalSchema(table.schema), table.name, parts])
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, HASH_LENGTH)
  const readable = [prefix, table.name, ...parts].join('_').replace(/[^A-Za-z0-9_]/g, '')
  return `${readable.slice(0, MAX_BYTES - HASH_LENGTH - 1)}_${hash}`
}
