import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { rows } from '@/lib/db/sql'
import type { InstallPreview } from '@/lib/installs/plan-contract'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { POST } from '../install/zip/route'
import { type Files, logsOf, verdicts } from './plugin-api'

export const deps = freshDeps()

export const post = async (files: Files, scopes: string[], query = '') =>
  call(deps, POST, {
    method: 'POST',
    path: `/api/plugins/install/zip${query}`,
    body: uploadOf(await archiveOf(files)),
    as: 'ADMIN',
    scopes,
  })

/** Installs with a key of these scopes, after a dry run that must say the same. */
export async function install(files: Files, ...scopes: string[]) {
  const all = ['plugins:install', ...scopes]
  const plan: InstallPreview = (await post(files, all, '?dryRun=true')).body.data.plan
  const logs = await logsOf(deps, (await post(files, all)).body.data.history)
  const essence = ({ path, error, details, records }: (typeof logs)[number]) => ({
    path,
    error,
    details,
    records,
  })
  expect(plan.files.map(essence)).toEqual(logs.map(essence))
  const failed = logs.find(({ error }) => error !== null)
  const counts = logs.at(-1)?.records
  return { verdicts: verdicts(logs), message: failed?.details[0]?.message, counts }
}

export const OTHER = { id: 'com.example.other' }
export const POLICY = { name: 'open', principals: ['*'], entities: ['*'], actions: ['*'] }
export const policies = (...items: object[]) =>
  pluginFiles({ EnginePolicies: { files: { 'p.json': items } } }, OTHER)
export const BOOKS = pluginFiles({
  EngineEntities: {
    files: {
      'Book.json': { name: 'Book', pks: [{ key: 'no', strategy: 'Fixed', type: 'number' }] },
    },
  },
  EngineSchemas: {
    files: { 'Book.json': { name: 'Book', properties: [{ name: 'title', type: 'string' }] } },
  },
  Book: { files: { 'data.json': [{ no: 1, title: 'Emma' }] } },
})
/** The schema of books with this title. */
export const titled = (title: object, plugin: object = OTHER) =>
  pluginFiles(
    {
      EngineSchemas: {
        files: { 'Book.json': { name: 'Book', properties: [{ name: 'title', ...title }] } },
      },
    },
    plugin,
  )
export const records = (manifest: object, plugin: object = OTHER) =>
  pluginFiles(
    {
      Book: {
        manifest: { target: 'Book', ...manifest },
        files: {
          'data.json': [
            { no: 1, title: 'X' },
            { no: 2, title: 'Y' },
          ],
        },
      },
    },
    plugin,
  )
export const titles = () => rows(deps.db, sql`select title from entities.book order by no`)
