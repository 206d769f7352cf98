import { createHmac } from 'node:crypto'
import type { ClientBase } from 'pg'
import type { AppSecret } from '@/lib/crypto/derive-key'
import { type BackupTable, MANIFEST, type Manifest, STRUCTURE } from './contract'
import { copyImages, listImages } from './copy-images'
import { copyRows, readSequence, writePlainly } from './copy-rows'
import { hasEngine, listEngineTables, listEntityTables, type OwnTable } from './list-tables'
import { requirePlainServer, type Session } from './open-session'
import {
  inLoadingOrder,
  listSequences,
  nameOf,
  readStructure,
  storedColumns,
} from './read-structure'
import { writeFileOf } from './write-file'

export type Source = {
  session: Session
  dataDir: string
  secret: AppSecret | null
  /** Ends it between two tables or images. */
  signal?: AbortSignal
}

/**
 * Writes the database, as it is at one moment, and the images on this server's disk into `folder`, which
 * must be empty. Changes by others go on meanwhile, those of tables' structure wait. The manifest is written last: without it
 * nothing in the folder is a backup. Throws an `Error` that says what is in the way.
 */
export async function writeBackup(source: Source, folder: string): Promise<Manifest> {
  const snapshot = await inSnapshot(source, folder)
  const { images: named, ...content } = snapshot
  const copied = await copyImages(named, source, folder)
  const manifest: Manifest = {
    format: 'engine-backup',
    version: 1,
    createdAt: new Date().toISOString(),
    dialect: source.session.dialect,
    secret: source.secret && fingerprint(source.secret.current),
    ...content,
    ...copied,
  }
  await writeFileOf(folder, MANIFEST, `${JSON.stringify(manifest, null, 1)}\n`)
  return manifest
}

/** What the database has, and what it names of images, whose files are copied when others need not wait any more. */
async function inSnapshot({ session: { client }, signal }: Source, folder: string) {
  if (!(await hasEngine(client)))
    throw new Error('The database is empty: there is nothing to back up')
  await requirePlainServer(client)
  await client.query('begin isolation level repeatable read read only')
  try {
    await client.query(`set local search_path = ''`)
    await writePlainly(client)
    const entityTables = await listEntityTables(client)
    const tables = [...(await listEngineTables(client)), ...entityTables]
    await lockAll(client, tables)
    const content = await writeContent(client, { entityTables, tables, signal }, folder)
    const images = await listImages(client)
    return { schemaVersion: await readSchemaVersion(client), ...content, images }
  } finally {
    await client.query('rollback')
  }
}

/** Tells whether two secrets are the same. Secrets are long and random, so none can be found by it. */
export const fingerprint = (secret: string): string =>
  createHmac('sha256', secret).update('engine backup').digest('hex').slice(0, 16)

async function readSchemaVersion(client: ClientBase): Promise<number> {
  const { rows } = await client.query(
    'select max(created_at)::float8 as last from engine_migrations.__drizzle_migrations',
  )
  return rows[0].last
}

/** Their structure must not change between the catalogs' being read and the rows' being copied. */
async function lockAll(client: ClientBase, tables: readonly OwnTable[]): Promise<void> {
  for (const table of tables) await client.query(`lock table ${nameOf(table)} in access share mode`)
}

type Content = {
  entityTables: readonly OwnTable[]
  tables: readonly OwnTable[]
  signal: AbortSignal | undefined
}

async function writeContent(
  client: ClientBase,
  { entityTables, tables, signal }: Content,
  folder: string,
): Promise<Pick<Manifest, 'structure' | 'tables' | 'sequences'>> {
  const text = JSON.stringify(await readStructure(client, entityTables), null, 1)
  const { lines: _, ...structure } = await writeFileOf(folder, STRUCTURE, `${text}\n`)
  const written: BackupTable[] = []
  for (const table of await inLoadingOrder(client, tables)) {
    signal?.throwIfAborted()
    written.push(await writeTable(client, table, `data/${written.length}.copy.gz`, folder))
  }
  return { structure, tables: written, sequences: await readSequences(client, tables) }
}

async function writeTable(
  client: ClientBase,
  table: OwnTable,
  path: string,
  folder: string,
): Promise<BackupTable> {
  const { schema, name } = table
  const columns = await storedColumns(client, table)
  const rows = copyRows(client, { schema, name, columns })
  const { lines, ...data } = await writeFileOf(folder, path, rows)
  return { schema, name, columns, rows: lines, data }
}

async function readSequences(client: ClientBase, tables: readonly OwnTable[]) {
  const values: Manifest['sequences'] = []
  for (const { schema, name } of await listSequences(client, tables))
    values.push({ schema, name, ...(await readSequence(client, { schema, name })) })
  return values
}
