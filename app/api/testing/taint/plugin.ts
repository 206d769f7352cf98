import { pluginFiles } from '@/lib/testing/archive'
import { WORLD, worldRows } from './world'

/** The plugin that brings the world. */
export const PLUGIN = 'com.example.taint'

/** The archive's files. */
export function filesOfWorld(version = '1.0.0'): Record<string, unknown> {
  const rows = worldRows()
  const schemas = WORLD.map(({ name, fields }) => [
    `${name}.json`,
    { name, properties: fields.flatMap(({ property }) => property ?? []) },
  ])
  const entities = WORLD.map(({ name, definition }) => [`${name}.json`, { name, ...definition }])
  const records = WORLD.map(({ name }) => [name, { files: { 'data.json': rows[name] } }])
  return pluginFiles(
    {
      EngineSchemas: { files: Object.fromEntries(schemas) },
      EngineEntities: { files: Object.fromEntries(entities) },
      ...Object.fromEntries(records),
    },
    { id: PLUGIN, name: 'Taint', version },
  )
}
