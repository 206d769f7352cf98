import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Client, escapeIdentifier } from 'pg'
import { CopyIn } from '@/lib/db/copy-in'
import { applyMigrationsUpTo, lastMigration } from '@/lib/db/migrations'
import { type CheckedBackup, readBlocks } from './check-backup'
import { type BackupTable, type Manifest, type Structure, structureSchema } from './contract'
import { objectsFolder } from './copy-images'
import { ENGINE_SCHEMAS, hasEngine, listEntityTables } from './list-tables'
import { requireNoServers, requirePlainServer, type Session } from './open-session'
import { nameOf } from './read-structure'
import { fingerprint } from './write-backup'

export type Target = { session: Session; dataDir: string; secret: string | null }

/**
 * Brings back what a backup holds, in one transaction: all of it or nothing. Images are copied before it is committed; those
 * that are there stay. With `replace`, what the target has is removed in the same transaction; without it, the
 * target must be empty. Returns warnings. Throws an `Error` that says what is in the way.
 */
export async function restoreBackup(
  target: Target,
  { folder, manifest }: CheckedBackup,
  { replace }: { replace: boolean },
): Promise<string[]> {
  const { session, dataDir } = target
  const { client } = session
  requireKnownVersion(manifest)
  await requirePlainServer(client)
  await client.query('begin')
  try {
    await requireNoServers(session)
    await makeRoom(client, replace)
    await applyMigrationsUpTo(client, manifest.schemaVersion)
    await client.query(`set local search_path = ''`)
    await loadAll(session, manifest, await readStructureOf(folder, manifest), folder)
    await placeImages(folder, manifest, dataDir)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
  await client.query('analyze')
  return warningsOf(manifest, target.secret)
}

function requireKnownVersion({ schemaVersion }: Manifest): void {
  if (schemaVersion > lastMigration())
    throw new Error('The backup is of a later version of Engine: restore it with that version')
}

async function makeRoom(client: Client, replace: boolean): Promise<void> {
  if (!(await hasEngine(client))) return
  if (!replace)
    throw new Error(
      'The database is not empty. Back it up, then add --replace to remove what it holds and restore in its place',
    )
  await dropAll(client)
}

async function readStructureOf(folder: string, { structure }: Manifest): Promise<Structure> {
  return structureSchema.parse(JSON.parse(await readFile(join(folder, structure.path), 'utf8')))
}

async function loadAll(
  session: Session,
  { tables, sequences }: Manifest,
  structure: Structure,
  folder: string,
): Promise<void> {
  const { client } = session
  for (const statement of structure.before) await client.query(statement)
  for (const table of tables) await loadRows(session, table, folder)
  for (const { value, isCalled, ...sequence } of sequences)
    await client.query('select pg_catalog.setval($1::regclass, $2, $3)', [
      nameOf(sequence),
      value,
      isCalled,
    ])
  for (const statement of structure.after) await client.query(statement)
}

/** Objects are never changed under the same key, so one that is there is the same. */
async function placeImages(folder: string, { images }: Manifest, dataDir: string): Promise<void> {
  const root = objectsFolder(dataDir)
  for (const { path, key } of images) {
    if (key.split('/').includes('..')) throw new Error(`${key} leads out of the folder of images`)
    const to = join(root, key)
    await mkdir(dirname(to), { recursive: true })
    const half = `${to}.${process.pid}.half`
    try {
      await copyFile(join(folder, path), half)
      await rename(half, to)
    } finally {
      await rm(half, { force: true })
    }
  }
}

function warningsOf(manifest: Manifest, secret: string | null): string[] {
  const warnings: string[] = []
  if (manifest.secret && secret && manifest.secret !== fingerprint(secret))
    warnings.push(
      'NEXTAUTH_SECRET differs from that of the backup: people sign in again, and what was encrypted with it (mails that wait, second factors) can not be read. Set the former secret to keep them',
    )
  if (manifest.missingImages.length > 0)
    warnings.push(`${manifest.missingImages.length} images had no file when the backup was made`)
  if (manifest.cloudImages > 0)
    warnings.push(`${manifest.cloudImages} images are at Cloudinary, and stay there`)
  return warnings
}

/**
 * Removes the tables of entities and the engine's own schemas. Throws when an object that is not the engine's depends on
 * one of these tables: it would be removed with it.
 */
async function dropAll(client: Client): Promise<void> {
  const tables = await listEntityTables(client)
  if (tables.length > 0) await client.query(`drop table ${tables.map(nameOf).join(', ')}`)
  for (const schema of ENGINE_SCHEMAS)
    await client.query(`drop schema if exists ${escapeIdentifier(schema)} cascade`)
  const { rows } = await client.query<{ schema: string }>(EMPTY, [
    [...new Set(tables.map(({ schema }) => schema))],
  ])
  for (const { schema } of rows) await client.query(`drop schema ${escapeIdentifier(schema)}`)
}

const EMPTY = `
  select nspname as schema from pg_namespace n
  where nspname = any($1) and nspname <> 'public'
    and not exists (select from pg_class where relnamespace = n.oid)
    and not exists (select from pg_proc where pronamespace = n.oid)
    and not exists (select from pg_type where typnamespace = n.oid)`

/** What one statement loads, about. */
const BATCH_BYTES = 4 * 1024 * 1024
const NEWLINE = 10

/** Loads the rows of a table from the backup. Throws when their number is another than the backup's. */
async function loadRows(
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

async function copy(client: Client, table: BackupTable, lines: Buffer): Promise<number> {
  const statement = new CopyIn(`copy ${nameOf(table)} (${namesOf(table)}) from stdin`, lines)
  client.query(statement)
  return statement.done
}

/** The embedded database can't copy from its client. */
async function insert(client: Client, table: BackupTable, lines: Buffer): Promise<number> {
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

async function insertEmpty(client: Client, table: BackupTable, rows: number): Promise<number> {
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
