import { type Client, escapeIdentifier } from 'pg'
import type { Structure } from './contract'
import type { OwnTable } from './list-tables'
import { AFTER, COLUMNS, SEQUENCES } from './structure-queries'

type Column = {
  name: string
  type: string
  notNull: boolean
  isGenerated: boolean
  identity: '' | 'a' | 'd'
  default: string | null
  collation: string | null
}
type Sequence = {
  schema: string
  name: string
  statement: string
  isIdentity: boolean
  owner: string | null
}

export const nameOf = ({ schema, name }: { schema: string; name: string }) =>
  `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`

/** Columns that store something, and so have rows to copy. */
export async function storedColumns(client: Client, table: OwnTable) {
  const { rows } = await client.query<Column>(COLUMNS, [table.oid])
  return rows.flatMap(({ name, type, isGenerated }) => (isGenerated ? [] : [{ name, type }]))
}

/** Sequences of tables, those of identity columns included. */
export async function listSequences(client: Client, tables: readonly OwnTable[]) {
  return (await client.query<Sequence>(SEQUENCES, [tables.map(({ oid }) => oid)])).rows
}

/**
 * Statements that make `tables`, as `pg_dump` would write them. Names must be written with their schemas:
 * `search_path` is empty.
 */
export async function readStructure(
  client: Client,
  tables: readonly OwnTable[],
): Promise<Structure> {
  const sequences = (await listSequences(client, tables)).filter(({ isIdentity }) => !isIdentity)
  const made: string[] = []
  for (const table of tables)
    made.push(createTable(table, (await client.query<Column>(COLUMNS, [table.oid])).rows))
  const after = await client.query<{ statement: string }>(AFTER, [tables.map(({ oid }) => oid)])
  return {
    before: [
      ...createSchemas([...tables, ...sequences]),
      ...sequences.map(({ statement }) => statement),
      ...made,
    ],
    after: [
      ...after.rows.map(({ statement }) => statement),
      ...sequences.flatMap((sequence) =>
        sequence.owner ? [`alter sequence ${nameOf(sequence)} owned by ${sequence.owner}`] : [],
      ),
    ],
  }
}

const createSchemas = (objects: readonly { schema: string }[]) =>
  [...new Set(objects.map(({ schema }) => schema))].map(
    (schema) => `create schema if not exists ${escapeIdentifier(schema)}`,
  )

const createTable = (table: OwnTable, columns: readonly Column[]) =>
  `create table ${nameOf(table)} (${columns.map(describeColumn).join(', ')})`

function describeColumn(column: Column): string {
  const { name, type, collation, notNull, identity, isGenerated } = column
  const parts = [escapeIdentifier(name), type]
  if (collation) parts.push(`collate ${collation}`)
  if (identity) parts.push(`generated ${identity === 'a' ? 'always' : 'by default'} as identity`)
  else if (isGenerated) parts.push(`generated always as (${column.default}) stored`)
  else if (column.default !== null) parts.push(`default ${column.default}`)
  if (notNull) parts.push('not null')
  return parts.join(' ')
}
