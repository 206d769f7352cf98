import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { EXIT, Failure, type Outcome } from '../failure'
import type { Io } from '../io'

type Options = { id?: string; name?: string; entity: string }

/** Writes a plugin with one entity into a new or empty folder. */
export async function init(io: Io, path: string, { id, name, entity }: Options): Promise<Outcome> {
  const folder = resolve(io.cwd, path)
  const isTaken = existsSync(folder) && (await readdir(folder)).some((file) => file[0] !== '.')
  if (isTaken) throw new Failure(`${folder} is not empty; name a new folder`, EXIT.usage)
  if (!/^[A-Za-z_]\w{0,62}$/.test(entity))
    throw new Failure(`--entity takes a name of letters, digits and _, not "${entity}"`, EXIT.usage)
  const folderName = basename(folder)
  const files = starterFiles({
    id: id ?? `com.example.${slug(folderName)}`,
    name: name ?? folderName,
    entity,
    schemas: `${(io.env.ENGINE_URL ?? 'http://localhost:3000').replace(/\/+$/, '')}/schemas`,
  })
  for (const [file, content] of Object.entries(files)) {
    const to = join(folder, file)
    await mkdir(dirname(to), { recursive: true })
    await writeFile(to, `${JSON.stringify(content, null, 2)}\n`)
  }
  const names = Object.keys(files)
  const next = `Next: engine validate ${path}, then engine install ${path}`
  return { lines: [...names, next], json: { folder, files: names } }
}

/** A segment of an id in reverse-domain style. */
const slug = (text: string) =>
  text.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^[-_]+|-+$/g, '') || 'plugin'

type Starter = {
  id: string
  name: string
  entity: string
  /** The address below which the engine serves its JSON Schemas. */
  schemas: string
}

/** `{ path: content }` of a plugin to start from. */
function starterFiles({ id, name, entity, schemas }: Starter): Record<string, object> {
  const $schema = (kind: string) => ({ $schema: `${schemas}/${kind}.json` })
  return {
    'engineplugin.json': {
      ...$schema('plugin'),
      ...{ id, name, version: '1.0.0', description: '', author: '' },
    },
    'EngineEntities/__manifest__.json': { ...$schema('component'), target: 'EngineEntities' },
    [`EngineEntities/${entity}.json`]: {
      ...$schema('entity'),
      name: entity,
      pks: [{ key: 'id', strategy: 'Fixed', type: 'string' }],
    },
    'EngineSchemas/__manifest__.json': { ...$schema('component'), target: 'EngineSchemas' },
    [`EngineSchemas/${entity}.json`]: {
      ...$schema('schema'),
      name: entity,
      properties: [
        { name: 'id', type: 'string', meta: { maxLength: 40 } },
        { name: 'name', type: 'string', meta: { required: true, maxLength: 200 } },
      ],
    },
    [`${entity}/__manifest__.json`]: {
      ...$schema('component'),
      target: entity,
      insertDuplicate: 'Upsert',
    },
    [`${entity}/data.json`]: [{ id: 'first', name: 'The first one' }],
  }
}
