import { archiveOf, pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { type Files, install, upload } from './plugin-api'

export const deps = freshDeps()

export const property = (name: string, rules: object = {}) => ({ name, type: 'string', ...rules })
const genre = { name: 'genre', type: 'integer', reference: { entity: 'Genre', field: 'id' } }
export const entity = (name: string, properties: object[]) => ({
  EngineEntities: { files: { [`${name}.json`]: { name } } },
  EngineSchemas: { files: { [`${name}.json`]: { name, properties } } },
})
const data = (name: string, records: object[]) => ({
  [name]: {
    files: { 'data.json': records },
    manifest: { target: name, insertDuplicate: 'Upsert' },
  },
})
const GENRES = pluginFiles(
  { ...entity('Genre', [property('name')]), ...data('Genre', [{ id: 1, name: 'Novel' }]) },
  { id: 'com.example.genres' },
)
const PENS = pluginFiles(entity('Pen', [property('name')]), { id: 'com.example.pens' })
export const books = (records: object[], rules: object = {}) =>
  pluginFiles({ ...entity('Book', [property('title', rules), genre]), ...data('Book', records) })
const FIRST = books([{ id: 1, title: 'Emma', genre: 1 }])
export const SECOND = await archiveOf(
  books([{ id: 1, title: 'Emma again', genre: 1 }, { id: 2 }], { maxLength: 40 }),
)

export const sealOf = async (files: Files | Uint8Array, query = '') =>
  (await upload(deps, files, { query: `?dryRun=true${query}` })).body.data.plan.seal as string
export const sealed = (seal: string, query = '') => `?seal=${encodeURIComponent(seal)}${query}`

export async function installAll() {
  await install(deps, GENRES)
  await install(deps, PENS)
  await install(deps, FIRST)
}

/** Installs all and plans the second version: its seal. */
export async function prepare() {
  await installAll()
  return sealOf(SECOND)
}
