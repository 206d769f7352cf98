import { type ClientBase, escapeIdentifier } from 'pg'
import { CopyIn } from '@/lib/db/copy-in'
import { readBlocks } from './check-backup'
import type { BackupTable } from './contract'
import type { Session } from './open-session'
import { nameOf } from './read-structure'

/** What one statement loads, about. */
const BATCH_BYTES = 4 * 1024 * 1024
const NEWLINE = 10

/** Loads the rows of a table from the backup. Throws when their number is another than the backup's. */
export async function loadRows(
  { client, dialect }: Session,
  table: BackupTable,
  folder: string,
): Promise<void> {
  const load = dialect === 'pglite' ? insert : copy
  let loaded = 0
  let held: Buffer[] = []
  let size = 0
  const flush = async () => {
    if (size === 0) return
    loaded += await load(client, table, Buffer.concat(held))
    held = []
    size = 0
  }
  await readBlocks(folder, table.data.path, async (block) => {
    const end = size + block.length < BATCH_BYTES ? 0 : block.lastIndexOf(NEWLINE) + 1
    const [whole, rest] = [block.subarray(0, end), block.subarray(end)]
    if (end > 0) {
      held.push(whole)
      size += whole.length
      await flush()
    }
    held.push(rest)
    size += rest.length
  })
  await flush()
  if (loaded !== table.rows)
    throw new Error(`${nameOf(table)}: ${loaded} of ${table.rows} rows were loaded`)
}

async function copy(client: ClientBase, table: BackupTable, lines: Buffer): Promise<number> {
  const statement = new CopyIn(`copy ${nameOf(table)} (${namesOf(table)}) from stdin`, lines)
  client.query(statement)
  return statement.done
}

/** The embedded database can't copy from its client. */
async function insert(client: ClientBase, table: BackupTable, lines: Buffer): Promise<number> {
  const { columns } = table
  const rows = lines.toString('utf8').split('\n').slice(0, -1).map(readCopyLine)
  if (columns.length === 0) return insertEmpty(client, table, rows.length)
  const values = columns.map((_, at) => rows.map((row) => row[at]))
  const arrays = columns.map((_, at) => `$${at + 1}::text[]`).join(', ')
  const names = columns.map((_, at) => `c${at}`)
  const typed = columns.map(({ type }, at) => `${names[at]}::${type}`).join(', ')
  const result = await client.query(
    `insert into ${nameOf(table)} (${namesOf(table)}) overriding system value
     select ${typed} from unnest(${arrays}) as r(${names.join(', ')})`,
    values,
  )
  return result.rowCount ?? 0
}

async function insertEmpty(client: ClientBase, table: BackupTable, rows: number): Promise<number> {
  for (let at = 0; at < rows; at++)
    await client.query(`insert into ${nameOf(table)} default values`)
  return rows
}

const namesOf = ({ columns }: BackupTable) =>
  columns.map(({ name }) => escapeIdentifier(name)).join(', ')

/** The values of a line in COPY's text format (PostgreSQL, "COPY", "Text Format"). */
const readCopyLine = (line: string): (string | null)[] => line.split('\t').map(readValue)

function readValue(text: string): string | null {
  if (text === '\\N') return null
  return text.includes('\\')
    ? text.replace(/\\(.)/g, (_, letter) => ESCAPES[letter] ?? letter)
    : text
}

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
