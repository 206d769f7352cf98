import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, expect, inject } from 'vitest'
import { images } from '@/lib/db/schema'
import { type Database, one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { parseEnv } from '@/lib/env'
import { createStorages } from '@/lib/storage/storages'
import { pluginFiles } from '@/lib/testing/archive'
import { addressesOf } from '@/lib/testing/database'
import { databaseState } from '@/lib/testing/database-state'
import { testDeps } from '@/lib/testing/deps'
import { makeImage } from '@/lib/testing/images'
import { makeEmptyDatabase } from '@/lib/testing/make-database'
import { call } from '@/lib/testing/request'
import { POST as COMMENT } from '../entities/[entityName]/[id]/comments/route'
import { DELETE as DELETE_BATCH } from '../entities/[entityName]/batch/route'
import { POST as UPLOAD } from '../images/upload/route'
import { install } from '../plugins/testing/plugin-api'
import { LOANS, LOANS_ID, SHOP, uninstall } from '../plugins/testing/uninstall-api'

export type Kind = 'embedded' | 'postgres'
/** A database of its own and a folder, which are opened and closed at will. */
export type Instance = {
  settings: Record<string, string>
  run<T>(work: (deps: Deps) => Promise<T>): Promise<T>
}

/** Of the file, removed after its tests. */
export const folder = await mkdtemp(join(tmpdir(), 'engine-backup-'))
const cleaners = [() => rm(folder, { recursive: true })]
afterAll(async () => {
  for (const clean of cleaners) await clean()
})

export async function makeInstance(kind: Kind): Promise<Instance> {
  const DATA_DIR = await mkdtemp(join(folder, 'data-'))
  const settings: Record<string, string> = {
    DATA_DIR,
    NEXTAUTH_SECRET: 'a secret for tests, 32 characters',
  }
  if (kind === 'postgres') {
    const made = await makeEmptyDatabase(addressesOf('postgres').url)
    cleaners.push(made.drop)
    settings.DATABASE_URL = addressesOf(made.name).url
  }
  return { settings, run: (work) => onInstance(settings, work) }
}

const filled = new Map<Kind, Promise<Instance>>()

/** One that `fill` has filled, the same for all tests of the file: each must leave it as it was. */
export function filledInstance(kind: Kind): Promise<Instance> {
  const made =
    filled.get(kind) ??
    makeInstance(kind).then(async (instance) => {
      await instance.run(fill)
      return instance
    })
  filled.set(kind, made)
  return made
}

async function onInstance<T>(
  settings: Record<string, string>,
  work: (deps: Deps) => Promise<T>,
): Promise<T> {
  const database = await open(settings)
  const base = await testDeps()
  const storage = createStorages(parseEnv(settings))
  const { close, ...opened } = database
  try {
    const own = { ...base.settings, DATA_DIR: settings.DATA_DIR ?? '' }
    return await work(Object.assign(base, opened, { storage, settings: own }))
  } finally {
    await close()
  }
}

async function open({ DATABASE_URL, DATA_DIR }: Record<string, string>): Promise<Database> {
  // A new one from the image, as a server that was built begins.
  if (!DATABASE_URL)
    return (await import('@/lib/db/pglite')).openPglite(DATA_DIR, inject('pgliteImage'))
  return (await import('@/lib/db/postgres')).openPostgres({ url: DATABASE_URL, poolSize: 4 })
}

/** Of every kind of thing: tables with keys, references, computed and undeclared fields, trash, images. */
export async function fill(deps: Deps): Promise<void> {
  for (const files of [SHOP, LOANS, PARTS]) {
    const { logs } = await install(deps, files)
    expect(logs.filter(({ status }) => status === 'failed')).toEqual([])
  }
  for (const entity of ['Loan', 'Book']) await comment(deps, entity)
  await uninstall(deps, LOANS_ID)
  const { status } = await call(deps, DELETE_BATCH, {
    method: 'DELETE',
    path: '/api/entities/Book/batch?undo=7d',
    body: { entity: 'Book', query: [{ field: 'title', operator: 'eq', value: 'Persuasion' }] },
    as: 'ADMIN',
    params: { entityName: 'Book' },
  })
  expect(status).toBe(200)
  // Replaced once, so that it has a former address, and cropped.
  for (const file of [await makeImage('png', { width: 9, height: 9 }), PNG])
    await upload(deps, file)
  await deps.db.update(images).set({ crop: { x: 0.1, y: 0, width: 0.9, height: 1 } })
}

async function comment(deps: Deps, entityName: string): Promise<void> {
  const { status } = await call(deps, COMMENT, {
    method: 'POST',
    path: `/api/entities/${entityName}/1/comments`,
    body: { text: ODD },
    as: 'ADMIN',
    params: { entityName, id: '1' },
  })
  expect(status).toBe(201)
}

async function upload(deps: Deps, file: Uint8Array): Promise<void> {
  const body = new FormData()
  body.set('assetId', 'boot')
  body.set('file', new File([new Uint8Array(file)], 'boot.png', { type: 'image/png' }))
  const path = '/api/images/upload'
  const { status } = await call(deps, UPLOAD, { method: 'POST', path, body, as: 'ADMIN' })
  expect(status).toBe(201)
}

/** The content of the only image. */
export async function storedImage({ db, storage }: Deps): Promise<Buffer> {
  const found = await rows<{ key: string }>(db, sql`select storage_key as key from engine.images`)
  const file = await storage.local.find(one(found).key)
  return readFile(file?.path ?? '')
}

const PNG = await makeImage('png', { width: 4, height: 3 })
const ODD = 'tab\there, line\nbreak, back\\slash, \\N, "quotes", ünï 🦉'
const PARTS = pluginFiles(
  {
    EngineSchemas: {
      files: {
        'p.json': {
          name: 'Part',
          properties: [
            { name: 'name', type: 'string', meta: { unique: true } },
            { name: 'price', type: 'decimal' },
            { name: 'amount', type: 'integer' },
            { name: 'sum', type: 'decimal', computed: 'price * amount' },
            { name: 'tags', type: 'array' },
            { name: 'size', type: 'object' },
            { name: 'ready', type: 'boolean' },
            { name: 'made', type: 'datetime' },
          ],
        },
      },
    },
    EngineEntities: { files: { 'p.json': { name: 'Part' } } },
    Part: {
      files: {
        'data.json': [
          {
            name: ODD,
            price: 12.5,
            amount: 3,
            tags: ['a', 'b\t"c"'],
            size: { w: 1.5, 'ö"': null },
          },
          { name: '', price: null, amount: 0, ready: true, made: '2024-02-29T12:00:00.123Z' },
          { name: 'undeclared', colour: 'red', nested: { deep: [1, { x: '\\.' }] } },
          ...Array.from({ length: 3_000 }, (_, n) => ({ name: `Part ${n}`, amount: n })),
        ],
      },
    },
  },
  { id: 'com.example.parts', name: 'Parts' },
)

/** Everything in the database, but what differs from server to server. */
export async function stateOf(instance: Instance) {
  return instance.run(async ({ db }) => {
    const state = await databaseState(db)
    for (const volatile of VOLATILE) delete state[volatile]
    const people = await rows(db, sql`select to_jsonb(u) as u from engine.users u order by id`)
    const keys = await rows(db, sql`select to_jsonb(k) as k from engine.api_keys k order by id`)
    return { ...state, structure: state.structure?.filter(isStable), people, keys }
  })
}
// Totals are counted again where the triggers differ.
const VOLATILE = ['engine.entity_totals', 'engine.entity_total_changes']
/** Later versions of PostgreSQL list `not null` as a constraint, too; which days' partitions exist depends on the first start. */
const isStable = (line: string) => !/_not_null NOT NULL|record_events_\d{8}/.test(line)
