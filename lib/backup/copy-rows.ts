import { type ClientBase, escapeIdentifier } from 'pg'
import { CopyStream } from '@/lib/db/copy-out'
import type { BackupTable } from './contract'
import { nameOf } from './read-structure'

/**
 * To the end of the transaction, values are written in the same way whatever is set for the server, and rows come in the order in
 * which they are stored.
 */
export async function writePlainly(client: ClientBase): Promise<void> {
  for (const [name, value] of Object.entries(PLAIN))
    await client.query('select pg_catalog.set_config($1, $2, true)', [name, value])
}

const PLAIN = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  extra_float_digits: '3',
  bytea_output: 'hex',
  synchronize_seqscans: 'off',
  max_parallel_workers_per_gather: '0',
}

type Table = Pick<BackupTable, 'schema' | 'name' | 'columns'>

/** The rows of a table in COPY's text format. A query, since plain COPY leaves out columns without saying so. */
export function copyRows(client: ClientBase, table: Table): CopyStream {
  const names = table.columns.map(({ name }) => escapeIdentifier(name)).join(', ')
  return client.query(new CopyStream(`copy (select ${names} from ${nameOf(table)}) to stdout`))
}

type Position = { value: string; isCalled: boolean }

export async function readSequence(
  client: ClientBase,
  sequence: { schema: string; name: string },
): Promise<Position> {
  const { rows } = await client.query<Position>(
    `select last_value::text as value, is_called as "isCalled" from ${nameOf(sequence)}`,
  )
  return rows[0] as Position
}
